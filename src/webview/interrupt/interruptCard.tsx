import { useContext } from "preact/hooks";

import type { InterruptEntry } from "../../run/panel/transcript.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { plural } from "../measures.ts";
import { UnsupportedContext } from "../unsupported.ts";
import { useCard } from "../memory.ts";
import type { DecisionDraft } from "./answer.ts";
import { Decisions } from "./decisions.tsx";
import { FreeAnswer } from "./freeAnswer.tsx";

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
  return (
    <div class={`card interrupt ${interrupt.state}`} role="group" aria-label="The run waits for your answer">
      <div class="card-head">
        <Icon name={open ? "bell-dot" : "bell"} />
        <span class="card-title">{asks > 0 ? `${plural(asks, "action")} to decide` : "The agent asks"}</span>
        <State interrupt={interrupt} />
      </div>
      {open ? <OpenCard interrupt={interrupt} /> : <ClosedCard interrupt={interrupt} />}
    </div>
  );
}

function State({ interrupt }: { readonly interrupt: InterruptEntry }) {
  switch (interrupt.state) {
    case "open":
      return <span class="fact">waiting for you</span>;
    case "sending":
      return (
        <span class="fact">
          <Icon name="loading" spin /> sending
        </span>
      );
    case "answered":
      return (
        <span class="status good">
          <Icon name="pass" /> answered
        </span>
      );
    case "elsewhere":
      return <span class="fact">answered elsewhere</span>;
    case "failed":
      return (
        <span class="status error">
          <Icon name="error" /> not sent
        </span>
      );
    default:
      interrupt.state satisfies never;
      return null;
  }
}

function OpenCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const [draft, change] = useCard<CardDraft>(interrupt.id, empty);
  const answerable = !useContext(UnsupportedContext).includes("answer");
  const failure = interrupt.state === "failed" && (
    <p class="problem" role="alert">
      <Literal text={interrupt.answer ?? "The answer could not be sent."} />
    </p>
  );
  if (!answerable) {
    return (
      <>
        {interrupt.requests.length > 0 ? (
          <Requests interrupt={interrupt} />
        ) : (
          <LongText text={JSON.stringify(interrupt.value)} label="question" />
        )}
        {failure || <p class="fact">This server takes no answers. Start another run to go on.</p>}
      </>
    );
  }
  if (interrupt.requests.length > 0) {
    return (
      <Decisions interrupt={interrupt} drafts={draft.requests} onDrafts={(requests) => change({ requests })}>
        {failure}
      </Decisions>
    );
  }
  return (
    <>
      <LongText text={JSON.stringify(interrupt.value)} label="question" />
      {failure}
      <FreeAnswer interrupt={interrupt} text={draft.text} onText={(text) => change({ text })} />
    </>
  );
}

function ClosedCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  return (
    <>
      <Requests interrupt={interrupt} />
      {interrupt.answer !== undefined && (
        <>
          <div class="part-label">Answer</div>
          <LongText text={interrupt.answer} label="answer" />
        </>
      )}
    </>
  );
}

function Requests({ interrupt }: { readonly interrupt: InterruptEntry }) {
  return interrupt.requests.map((request, index) => (
    <p key={index} class="request-line">
      <Icon name="tools" />
      <span class="tool-name">
        <Literal text={request.name} />
      </span>
      <span class="preview code">
        <Literal text={JSON.stringify(request.args).slice(0, 240)} />
      </span>
    </p>
  ));
}
