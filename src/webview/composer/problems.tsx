/** What is known of an input against the agent's schema, below the box. */

import type { PausedServer } from "../../run/panel/messages.ts";
import { problemLine, type Problem } from "../../run/schema/problems.ts";
import { rangesIn } from "../../run/schema/textRanges.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { post } from "../kit/host.ts";
import type { Agent } from "./agents.ts";

const mostShown = 5;

interface SchemaProblemsProps {
  /** JSON. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Leads to a part of the text. */
  readonly onRange: (from: number, to: number) => void;
}

/** Each thing that the schema refuses, with its range, which it leads to. */
export function SchemaProblems({ text, problems, onRange }: SchemaProblemsProps) {
  if (problems.length === 0) return null;
  const shown = problems.slice(0, mostShown);
  const ranges = rangesIn(
    text,
    shown.map(({ path }) => path),
  );
  return (
    <ul id="composer-problem" class="problems problem" aria-label="What the agent's schema refuses">
      {shown.map((problem, index) => {
        const range = ranges[index];
        return (
          <li key={JSON.stringify(problem)}>
            <button
              type="button"
              class="problem-place"
              onClick={() => range !== undefined && onRange(range.from, range.to)}
            >
              <Icon name="warning" />
              <span>
                Line {range?.line}: <Literal text={problemLine(problem, "the input")} />
              </span>
            </button>
          </li>
        );
      })}
      {problems.length > mostShown && <li class="hint">And {problems.length - mostShown} more.</li>}
    </ul>
  );
}

/** Why the schema says nothing of an input. */
export function UncheckedHint({ text }: { readonly text: string }) {
  return (
    <p class="hint" role="status">
      <Literal text={`${text} It is sent as it is.`} />
    </p>
  );
}

interface SchemaHintProps {
  readonly agent: Agent;
  readonly isText: boolean;
  readonly paused: PausedServer | undefined;
}

/** Why an input is not checked, as long as it is not. */
export function SchemaHint({ agent, isText, paused }: SchemaHintProps) {
  const { schemas, assistantId, takesMessages } = agent;
  // A message needs no check.
  if (isText && (schemas.kind !== "asking" || takesMessages !== undefined)) return null;
  if (schemas.kind === "asking" && paused !== undefined)
    return (
      <p class="hint" role="status">
        <Icon name="debug-pause" /> The server is <Literal text={paused.words} />, and tells what this agent
        takes once it goes on.
      </p>
    );
  if (schemas.kind === "asking")
    return (
      <p class="hint" role="status">
        <Icon name="loading" spin /> Asking the server what this agent takes. It can be sent meanwhile
        {isText ? "." : ", unchecked."}
      </p>
    );
  if (schemas.kind !== "failed") return null;
  return (
    <p class="hint" role="status">
      What this agent takes could not be read, so the input is not checked: <Literal text={schemas.message} />{" "}
      <Button kind="link" onClick={() => post({ type: "agent", assistantId, again: true })}>
        Try Again
      </Button>
    </p>
  );
}
