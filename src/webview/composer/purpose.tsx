/** What the text in the composer is for: a new run, or the answer to what the agent asks. */

import type { InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { memory, type ComposerDraft } from "../kit/memory.ts";

/** "late": it was written as an answer, and the question waits no more. */
export type Purpose =
  | { readonly kind: "run" }
  | { readonly kind: "answer"; readonly question: InterruptEntry }
  | { readonly kind: "late" };

/**
 * A text keeps the purpose that it was begun with, whatever the agent asks meanwhile; an empty box answers the only
 * question that can be answered in words.
 */
export function purposeOf({ text, purpose }: ComposerDraft, questions: readonly InterruptEntry[]): Purpose {
  if (purpose === "run") return { kind: "run" };
  const meant = questions.find(({ id }) => id === purpose);
  if (meant !== undefined) return { kind: "answer", question: meant };
  if (text !== "") return { kind: purpose === "" ? "run" : "late" };
  const question = answerableIn(questions);
  return question === undefined ? { kind: "run" } : { kind: "answer", question };
}

/** The only open question, if it is answered in words. */
function answerableIn(questions: readonly InterruptEntry[]): InterruptEntry | undefined {
  const [only, ...others] = questions;
  const isWords = only !== undefined && only.requests.length === 0 && only.next === undefined;
  return isWords && others.length === 0 ? only : undefined;
}

/** What the draft remembers of its purpose. */
export function purposeKey(purpose: Purpose): string {
  return purpose.kind === "answer"
    ? purpose.question.id
    : purpose.kind === "run"
      ? "run"
      : memory.get("draft").purpose;
}

interface PurposeProps {
  readonly purpose: Purpose;
  readonly questions: readonly InterruptEntry[];
  readonly onPurpose: (purpose: string) => void;
}

/** Lets a person choose, while there is something to choose. */
export function PurposeSwitch({ purpose, questions, onPurpose }: PurposeProps) {
  const question = purpose.kind === "answer" ? purpose.question : answerableIn(questions);
  if (question === undefined) return null;
  return (
    <div class="switch" role="group" aria-label="What this is">
      <button type="button" aria-pressed={purpose.kind === "answer"} onClick={() => onPurpose(question.id)}>
        Answer
      </button>
      <button type="button" aria-pressed={purpose.kind === "run"} onClick={() => onPurpose("run")}>
        New Run
      </button>
    </div>
  );
}

interface WarningProps extends PurposeProps {
  readonly onRun: () => void;
  readonly onQuestion: () => void;
}

/** Why the text is not sent at once, and what can be done instead. */
export function PurposeWarning({ purpose, questions, onPurpose, onRun, onQuestion }: WarningProps) {
  const question = answerableIn(questions);
  const isLate = purpose.kind === "late";
  return (
    <div class="banner warning" role="alert">
      <Icon name="warning" />
      <span class="banner-text">
        {isLate
          ? "This was written as an answer, and that question waits no more."
          : "The agent waits for your answer. A new run leaves it without one."}
      </span>
      {isLate && question !== undefined && (
        <Button onClick={() => onPurpose(question.id)}>Answer the Next Question With It</Button>
      )}
      {!isLate && <Button onClick={onQuestion}>Go to the Question</Button>}
      <Button onClick={onRun}>Start a New Run</Button>
    </div>
  );
}
