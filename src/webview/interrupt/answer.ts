import type { Json } from "../../run/panel/messages.ts";
import type { ActionRequest, Decision, DecisionType } from "../../run/panel/transcript.ts";
import { problemText, readJson } from "../../run/json/jsonText.ts";

/** What the user has chosen and typed for one action request so far. */
export interface DecisionDraft {
  readonly choice?: DecisionType;
  /** The edited arguments as JSON text; undefined while untouched. */
  readonly args?: string;
  readonly message?: string;
}

/** A decision that can be sent, or what is missing. */
export type DecisionReading = { readonly decision: Decision } | { readonly missing: string };

/** Turns a draft into the decision that goes to the server. */
export function readDecision(request: ActionRequest, draft: DecisionDraft): DecisionReading {
  const message = draft.message?.trim() ?? "";
  switch (draft.choice) {
    case undefined:
      return { missing: "Choose what to do" };
    case "approve":
      return { decision: { type: "approve" } };
    case "edit": {
      const reading = readJson(argsText(request, draft));
      if ("problem" in reading) return { missing: problemText(reading.problem) };
      return { decision: { type: "edit", edited_action: { name: request.name, args: reading.value } } };
    }
    case "reject":
      return { decision: message === "" ? { type: "reject" } : { type: "reject", message } };
    case "respond":
      return message === "" ? { missing: "Write the response" } : { decision: { type: "respond", message } };
    default:
      draft.choice satisfies never;
      return { missing: "Choose what to do" };
  }
}

/** The arguments in the edit box. */
export function argsText(request: ActionRequest, draft: DecisionDraft): string {
  return draft.args ?? JSON.stringify(request.args, undefined, 2);
}

/** A free-form answer: JSON when it reads as JSON, else the text itself. */
export function freeAnswer(text: string): Json {
  const reading = readJson(text);
  return "value" in reading ? reading.value : text;
}
