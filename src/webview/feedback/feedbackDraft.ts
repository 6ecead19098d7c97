import { problemText, readJsonObject, type TextProblem } from "../../run/json/jsonText.ts";
import type { Feedback } from "../../run/panel/transcript.ts";

/** One key's feedback as typed; numbers and JSON stay text until they are sent. */
export interface FeedbackDraft {
  readonly score: string;
  readonly value: string;
  readonly comment: string;
  readonly correction: string;
  readonly metadata: string;
  readonly details: boolean;
}

/** What was tried before, ready to be tried again. */
export function draftOf(given: Feedback = {}): FeedbackDraft {
  const json = (value: object | undefined) =>
    value === undefined ? "" : JSON.stringify(value, undefined, 2);
  return {
    score: given.score?.toString() ?? "",
    value: given.value?.toString() ?? "",
    comment: given.comment ?? "",
    correction: json(given.correction),
    metadata: json(given.metadata),
    details: [given.value, given.correction, given.metadata].some((field) => field !== undefined),
  };
}

/** Feedback that can be sent, or why not; `shown` reasons stand beside their own field already. */
export type FeedbackReading =
  | { readonly feedback: Feedback }
  | { readonly missing: string; readonly shown: boolean };

/** Reads a draft; only fields that were filled in are sent. */
export function readFeedback(draft: FeedbackDraft): FeedbackReading {
  const correction = readJsonObject(draft.correction);
  if ("problem" in correction) return jsonProblem("Correction", correction.problem, draft);
  const metadata = readJsonObject(draft.metadata);
  if ("problem" in metadata) return jsonProblem("Metadata", metadata.problem, draft);
  const score = readNumber(draft.score);
  const value = readNumber(draft.value);
  if (Number.isNaN(score) || Number.isNaN(value))
    return { missing: "Score and value are numbers", shown: false };
  const comment = draft.comment.trim();
  const feedback: Feedback = {
    ...(score === undefined ? {} : { score }),
    ...(value === undefined ? {} : { value }),
    ...(comment === "" ? {} : { comment }),
    ...(correction.value === undefined ? {} : { correction: correction.value }),
    ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
  };
  return Object.keys(feedback).length === 0
    ? { missing: "Choose a thumb, or fill in a field", shown: false }
    : { feedback };
}

function jsonProblem(field: string, problem: TextProblem, draft: FeedbackDraft): FeedbackReading {
  return { missing: `${field}: ${problemText(problem)}`, shown: draft.details };
}

function readNumber(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}
