/** What is asked before something is sent that may not be meant so. */

import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import type { Agent } from "./agents.ts";
import type { Doubt } from "./sending.ts";

interface InputDoubtProps {
  readonly doubt: Exclude<Doubt, "question">;
  readonly onSend: () => void;
  /** What is written is shown as the JSON that it comes to. */
  readonly onJson: () => void;
}

const words = {
  schema: "The agent's schema refuses this input. It was not sent.",
  settings: "The agent's schema refuses what it is told under Options. Nothing was sent.",
  messages: "Asking the server whether this agent takes messages. This is sent as soon as it says so.",
} as const;

/** Why an input is not sent at once, and the second word that sends it. */
export function InputDoubt({ doubt, onSend, onJson }: InputDoubtProps) {
  const waits = doubt === "messages";
  return (
    <div class="banner warning" role="alert">
      <Icon name={waits ? "loading" : "warning"} spin={waits} />
      <span class="banner-text">{words[doubt]}</span>
      {waits && <Button onClick={onJson}>Write as JSON</Button>}
      <Button onClick={onSend}>{waits ? "Send Now" : "Send Anyway"}</Button>
    </div>
  );
}

interface LeftTextProps {
  readonly agent: Agent;
  readonly name: string;
  readonly text: string;
  readonly onDiscard: () => void;
}

/** A message that was typed before it was known that the agent takes none: it is not lost. */
export function LeftText({ agent, name, text, onDiscard }: LeftTextProps) {
  if (agent.takesMessages !== false || text === "") return null;
  return (
    <div class="banner" role="status">
      <Icon name="info" />
      <span class="banner-text">
        <Literal text={name} /> takes no messages, so this is not sent: “<Literal text={text.slice(0, 200)} />
        {text.length > 200 && "…"}”
      </span>
      <Button onClick={onDiscard}>Discard</Button>
    </div>
  );
}
