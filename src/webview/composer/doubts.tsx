/** What is asked before something is sent that may not be meant so. */

import type { ComponentChildren } from "preact";

import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import type { ComposerDraft } from "../kit/memory.ts";
import type { Agent } from "./agents.ts";
import type { Doubt } from "./writing.ts";

interface InputDoubtProps {
  readonly doubt: Extract<Doubt, "schema" | "settings">;
  readonly onSend: () => void;
}

const words = {
  schema: "The agent's schema refuses this input. It was not sent.",
  settings: "The agent's schema refuses what it is told under Options. Nothing was sent.",
} as const;

/** Why an input is not sent at once, and the second word that sends it. */
export function InputDoubt({ doubt, onSend }: InputDoubtProps) {
  return (
    <div class="banner warning" role="alert">
      <Icon name="warning" />
      <span class="banner-text">{words[doubt]}</span>
      <Button onClick={onSend}>Send Anyway</Button>
    </div>
  );
}

interface LeftTextProps {
  readonly agent: Agent;
  readonly name: string;
  readonly draft: ComposerDraft;
  readonly onChange: (part: Partial<ComposerDraft>) => void;
}

/** Messages that were typed, or sent, before it was known that the agent takes none: they are not lost. */
export function LeftText({ agent, name, draft, onChange }: LeftTextProps) {
  const { text, unsure } = draft;
  if (agent.takesMessages !== false) return null;
  const sent = unsure?.assistantId === agent.assistantId ? unsure.text : "";
  return (
    <>
      {sent !== "" && (
        <Left text={sent} role="alert" onDiscard={() => onChange({ unsure: undefined })}>
          <Literal text={name} /> takes no messages, so what you sent did not reach it:
        </Left>
      )}
      {text !== "" && (
        <Left text={text} role="status" onDiscard={() => onChange({ text: "", purpose: "" })}>
          <Literal text={name} /> takes no messages, so this is not sent:
        </Left>
      )}
    </>
  );
}

interface LeftProps {
  readonly text: string;
  readonly role: "alert" | "status";
  readonly onDiscard: () => void;
  /** What became of it. */
  readonly children: ComponentChildren;
}

function Left({ text, role, onDiscard, children }: LeftProps) {
  return (
    <div class={`banner${role === "alert" ? " warning" : ""}`} role={role}>
      <Icon name={role === "alert" ? "warning" : "info"} />
      <span class="banner-text">
        {children} “<Literal text={text.slice(0, 200)} />
        {text.length > 200 && "…"}”
      </span>
      <Button onClick={onDiscard}>Discard</Button>
    </div>
  );
}
