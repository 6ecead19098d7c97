import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

import type { AssistantChoice, ThreadCapability } from "../../run/panel/messages.ts";
import type { ActionRequest, InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { assistantName, AssistantsContext } from "../kit/assistants.ts";
import { post, useSent } from "../kit/host.ts";
import { plural } from "../kit/measures.ts";
import { useCard } from "../kit/memory.ts";
import { BreakpointActions } from "../repair/courseActions.tsx";
import { visibleText } from "../kit/visibleText.ts";
import { Decisions, type DecisionDraft } from "./decisions.tsx";
import type { IconName } from "../kit/icons.ts";
import { Answer, QuestionText, type AnswerDraft } from "./question.tsx";
import { Values } from "./values.tsx";

/** What this server can't do: rows deep in the transcript offer no action for it. */
export const UnsupportedContext = createContext<readonly ThreadCapability[]>([]);

interface CardDraft extends AnswerDraft {
  readonly requests: readonly DecisionDraft[];
}

const empty: CardDraft = { requests: [] };

/** What a run asks of a person, and the answer. */
export function InterruptCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const open = interrupt.state === "open" || interrupt.state === "failed";
  const { style, icon } = signs[interrupt.state];
  const words = wordsFor(interrupt, useContext(AssistantsContext));
  const classes = useIsNew(interrupt.id) ? `${interrupt.state} new` : interrupt.state;
  return (
    <div class={`card interrupt ${classes}`} role="group" aria-label="The run waits for your answer">
      <div class="card-head">
        <Icon name={open ? "bell-dot" : "bell"} />
        <span class="card-title">{titleOf(interrupt)}</span>
        <span class={style}>
          {icon !== undefined && <Icon name={icon} spin={icon === "loading"} />} <Literal text={words} />
        </span>
      </div>
      {interrupt.next !== undefined ? (
        <Breakpoint interrupt={interrupt} next={interrupt.next} />
      ) : open ? (
        <OpenCard interrupt={interrupt} />
      ) : (
        <ClosedCard interrupt={interrupt} />
      )}
    </div>
  );
}

/** A question that just came may have slid under a press that was meant for something else. */
const newMs = 500;
/** When each question was first shown, in milliseconds of this page; rows are made anew as they come into sight. */
const shownAt = new Map<string, number>();

function useIsNew(id: string): boolean {
  const now = performance.now();
  const at = shownAt.get(id) ?? now;
  shownAt.set(id, at);
  const [isNew, setNew] = useState(now - at < newMs);
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), at + newMs - now);
    return () => clearTimeout(timer);
  }, []);
  return isNew;
}

function titleOf({ requests, next }: InterruptEntry): string {
  if (next !== undefined) return "Stopped at a breakpoint";
  return requests.length > 0 ? `${plural(requests.length, "action")} to decide` : "The agent asks";
}

const signs: Readonly<
  Record<
    InterruptEntry["state"],
    { readonly style: string; readonly icon?: IconName; readonly words: string }
  >
> = {
  open: { style: "fact", words: "waiting" },
  sending: { style: "fact", icon: "loading", words: "sending" },
  answered: { style: "status good", icon: "pass", words: "answered" },
  elsewhere: { style: "fact", words: "answered elsewhere" },
  dropped: { style: "fact", words: "not answered: a new run was started" },
  failed: { style: "status error", icon: "error", words: "not sent" },
};

/** How a question stands, and who answered it where that was not this window. */
export function wordsFor(
  { state, giver, next }: InterruptEntry,
  assistants: readonly AssistantChoice[],
): string {
  const words = state === "answered" && next !== undefined ? "continued" : signs[state].words;
  switch (giver?.kind) {
    case undefined:
      return words;
    case "otherWindow":
      return `${words} in another window`;
    case "run":
      return `${words} elsewhere by a run of ${assistantName(assistants, giver.assistantId)}`;
    default:
      return giver satisfies never;
  }
}

/** A thread that stopped at a breakpoint asks nothing: it only waits for its next step. */
function Breakpoint({
  interrupt,
  next,
}: {
  readonly interrupt: InterruptEntry;
  readonly next: readonly string[];
}) {
  const [sent, noteSent] = useSent(interrupt, "resume");
  const open = interrupt.state === "open" || interrupt.state === "failed";
  return (
    <>
      {next.length > 0 && (
        <p class="next-nodes">
          Next: <Literal class="tool-name" text={next.join(", ")} />
        </p>
      )}
      {interrupt.state === "failed" && (
        <Literal as="p" class="problem" role="alert" text={interrupt.answer ?? "The run could not go on."} />
      )}
      {open && (
        <div class="card-foot">
          <Button
            kind="primary"
            icon="debug-continue"
            disabled={sent}
            onClick={() => {
              noteSent();
              post({ type: "resume", interruptId: interrupt.id, value: null });
            }}
          >
            Continue
          </Button>
          <BreakpointActions interrupt={interrupt} />
        </div>
      )}
    </>
  );
}

function OpenCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const [draft, change] = useCard<CardDraft>(interrupt.id, empty);
  const answerable = !useContext(UnsupportedContext).includes("answer");
  const asks = interrupt.requests.length > 0;
  const failure = interrupt.state === "failed" && (
    <Literal as="p" class="problem" role="alert" text={interrupt.answer ?? "The answer could not be sent."} />
  );
  if (!answerable) {
    return (
      <>
        <Asked interrupt={interrupt} />
        {failure || <p class="fact">This server takes no answers. Start another run to go on.</p>}
      </>
    );
  }
  if (asks) {
    return (
      <Decisions interrupt={interrupt} drafts={draft.requests} onDrafts={(requests) => change({ requests })}>
        {failure}
      </Decisions>
    );
  }
  return (
    <>
      <QuestionText interrupt={interrupt} />
      {failure}
      <Answer interrupt={interrupt} draft={draft} onDraft={change} />
    </>
  );
}

/** A question that waits no more: what was asked stays, and what was answered. */
function ClosedCard({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const { state, giver, answer } = interrupt;
  const [draft] = useCard<CardDraft>(interrupt.id, empty);
  const isOwn = state === "sending" || (state === "answered" && giver === undefined);
  const unsent = isOwn ? [] : [draft.text, ...draft.requests.map(({ message }) => message)];
  return (
    <>
      <Asked interrupt={interrupt} />
      {answer !== undefined && <Part label="Answer" text={answer} />}
      {unsent.map((text, index) =>
        text === undefined || text.trim() === "" ? null : (
          <Part key={index} label="What you wrote, which was not sent" text={text} />
        ),
      )}
    </>
  );
}

function Part({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <div class="part-label">{label}</div>
      <LongText text={text} label={label} />
    </>
  );
}

function Asked({ interrupt }: { readonly interrupt: InterruptEntry }) {
  const { id, requests } = interrupt;
  if (requests.length === 0) return <QuestionText interrupt={interrupt} />;
  return requests.map((request, index) => (
    <AskedAction key={index} id={`${id}:${String(index)}`} request={request} />
  ));
}

/** An action on one line that opens to show all of it. */
function AskedAction({ id, request }: { readonly id: string; readonly request: ActionRequest }) {
  const { name, args, description } = request;
  const summary = (
    <>
      <Icon name="tools" />
      <Literal class="tool-name" text={name} />
      <span class="preview code">{visibleText(JSON.stringify(args).slice(0, 240))}</span>
    </>
  );
  return (
    <Disclosure id={id} class="asked-action" summary={summary}>
      {() => (
        <>
          {description !== undefined && <Markdown text={description} />}
          <Values value={args} label="Arguments" />
        </>
      )}
    </Disclosure>
  );
}
