import { createContext } from "preact";
import { useContext, useId } from "preact/hooks";

import { readJson } from "../../run/json/jsonText.ts";
import type { ThreadCapability } from "../../run/panel/messages.ts";
import type { InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { post, useSent } from "../kit/host.ts";
import { plural } from "../kit/measures.ts";
import { useCard } from "../kit/memory.ts";
import { Decisions, type DecisionDraft } from "./decisions.tsx";

/** What this server can't do: rows deep in the transcript offer no action for it. */
export const UnsupportedContext = createContext<readonly ThreadCapability[]>([]);

interface CardDraft {
  readonly requests: readonly DecisionDraft[];
  /** The free-form answer. */
  readonly text: string;
}

const empty: CardDraft = { requests: [], text: "" };

/** What a run asks of a person, and the answer. */
export function InterruptCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const asks = interrupt.requests.length;
  const open = interrupt.state === "open" || interrupt.state === "failed";
  const { style, icon, words } = states[interrupt.state];
  return (
    <div class={`card interrupt ${interrupt.state}`} role="group" aria-label="The run waits for your answer">
      <div class="card-head">
        <Icon name={open ? "bell-dot" : "bell"} />
        <span class="card-title">{asks > 0 ? `${plural(asks, "action")} to decide` : "The agent asks"}</span>
        <span class={style}>
          {icon !== undefined && <Icon name={icon} spin={icon === "loading"} />} {words}
        </span>
      </div>
      {open ? <OpenCard interrupt={interrupt} /> : <Requests interrupt={interrupt} />}
      {!open && interrupt.answer !== undefined && (
        <>
          <div class="part-label">Answer</div>
          <LongText text={interrupt.answer} label="answer" />
        </>
      )}
    </div>
  );
}

const states: Readonly<
  Record<InterruptEntry["state"], { readonly style: string; readonly icon?: string; readonly words: string }>
> = {
  open: { style: "fact", words: "waiting for you" },
  sending: { style: "fact", icon: "loading", words: "sending" },
  answered: { style: "status good", icon: "pass", words: "answered" },
  elsewhere: { style: "fact", words: "answered elsewhere" },
  failed: { style: "status error", icon: "error", words: "not sent" },
};

function OpenCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const [draft, change] = useCard<CardDraft>(interrupt.id, empty);
  const answerable = !useContext(UnsupportedContext).includes("answer");
  const failure = interrupt.state === "failed" && (
    <Literal as="p" class="problem" role="alert" text={interrupt.answer ?? "The answer could not be sent."} />
  );
  const asks = interrupt.requests.length > 0;
  if (answerable && asks) {
    return (
      <Decisions interrupt={interrupt} drafts={draft.requests} onDrafts={(requests) => change({ requests })}>
        {failure}
      </Decisions>
    );
  }
  return (
    <>
      {asks ? (
        <Requests interrupt={interrupt} />
      ) : (
        <LongText text={JSON.stringify(interrupt.value)} label="question" />
      )}
      {failure ||
        (!answerable && <p class="fact">This server takes no answers. Start another run to go on.</p>)}
      {answerable && (
        <FreeAnswer interrupt={interrupt} text={draft.text} onText={(text) => change({ text })} />
      )}
    </>
  );
}

function Requests({ interrupt }: { readonly interrupt: InterruptEntry }) {
  return interrupt.requests.map((request, index) => (
    <p key={index} class="request-line">
      <Icon name="tools" />
      <Literal class="tool-name" text={request.name} />
      <Literal class="preview code" text={JSON.stringify(request.args).slice(0, 240)} />
    </p>
  ));
}

interface FreeAnswerProps {
  readonly interrupt: InterruptEntry;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The answer to a question of no fixed form: JSON if it reads as JSON, else text; it says which. */
function FreeAnswer({ interrupt, text, onText }: FreeAnswerProps) {
  const id = useId();
  const [sent, noteSent] = useSent(interrupt, "resume");
  const blank = text.trim() === "";
  const reading = readJson(text);
  const value = "value" in reading ? reading.value : text;
  const kind = typeof value === "string" && value === text ? "text" : "JSON";
  return (
    <div class="field">
      <label for={id}>Answer, as text or JSON</label>
      <textarea
        id={id}
        class="input"
        rows={2}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <div class="card-foot">
        <Button
          kind="primary"
          icon="send"
          disabled={blank || sent}
          onClick={() => {
            noteSent();
            post({ type: "resume", interruptId: interrupt.id, value });
          }}
        >
          Send
        </Button>
        {!blank && <span class="fact">goes as {kind}</span>}
      </div>
    </div>
  );
}
