/** A state that a person edited, as what a node would return for it: only what changed, messages by their ids. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { chatMessages, fingerprint } from "../fold/chatMessage.ts";
import { isList, isObject, parseJson, sameJson, textOf } from "../json/json.ts";
import { problemText, readJson } from "../json/jsonText.ts";
import { redact } from "../json/redact.ts";

/** What is to be written, or why nothing can be. */
export type StateEdit =
  | {
      /** What changed, as a node would return it. */
      readonly values: JsonObject;
      /** The whole state as it was meant, with what was masked. */
      readonly whole: JsonObject;
    }
  | { readonly problem: string };

const mask = "•••";

/** The values of a state as text to edit; credentials are masked, and stay as they are unless somebody replaces them. */
export function editableText(values: JsonObject): string {
  return `${redact(JSON.stringify(ownValues(values), null, 2))}\n`;
}

/** What a person made of the text of these values. */
export function readEdit(values: JsonObject, text: string): StateEdit {
  const reading = readJson(text);
  if ("problem" in reading) {
    const isJson = parseJson(text) !== undefined;
    return { problem: `${isJson ? "" : "This is no JSON. "}${problemText(reading.problem)}` };
  }
  const { value } = reading;
  if (!isObject(value)) return { problem: "A state is a JSON object." };
  const before = ownValues(values);
  const shown = parseJson(editableText(values)) ?? null;
  const unknown: string[] = [];
  const whole = unmasked({ original: before, shown }, value, [], unknown);
  const [masked] = unknown;
  if (masked !== undefined || !isObject(whole))
    return {
      problem: `${masked ?? "The state"} holds a masked credential (${mask}) beside what you changed: write out all of it.`,
    };
  const missing = Object.keys(before).find((key) => whole[key] === undefined);
  if (missing !== undefined)
    return { problem: `“${missing}” can't be taken out of a state. Set it to null instead.` };
  const changed = Object.entries(whole).filter(([key, now]) => !sameJson(now, before[key]));
  const written = changed.map(([key, now]) =>
    key === "messages" ? ([key, changedMessages(before[key], now)] as const) : ([key, now] as const),
  );
  return { values: Object.fromEntries(written), whole };
}

/** The keys of a state that are not what was meant: a graph may merge what is written into what it has. */
export function keysThatDiffer(meant: JsonObject, now: JsonObject): readonly string[] {
  return Object.entries(meant)
    .filter(([key, value]) => !(key === "messages" ? sameTalk(value, now[key]) : sameJson(value, now[key])))
    .map(([key]) => key);
}

function ownValues(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== "__interrupt__"));
}

/** Puts back the values whose masks were not edited. */
function unmasked(
  { original, shown }: { readonly original: Json | undefined; readonly shown: Json | undefined },
  edited: Json,
  path: readonly string[],
  unknown: string[],
): Json {
  if (original !== undefined && sameJson(edited, shown)) return original;
  if (isList(edited)) {
    const list = { original: isList(original) ? original : [], shown: isList(shown) ? shown : [] };
    return edited.map((item, at) => {
      const id = idOf(item);
      const same = id === undefined ? at : list.shown.findIndex((one) => idOf(one) === id);
      const pair = { original: list.original[same], shown: list.shown[same] };
      return unmasked(pair, item, [...path, String(at)], unknown);
    });
  }
  if (isObject(edited)) {
    const [known, seen] = [isObject(original) ? original : {}, isObject(shown) ? shown : {}];
    const entries = Object.entries(edited).map(([key, value = null]) => {
      const pair = { original: known[key], shown: seen[key] };
      return [key, unmasked(pair, value, [...path, key], unknown)] as const;
    });
    return Object.fromEntries(entries);
  }
  if (typeof edited === "string" && edited.includes(mask)) unknown.push(path.join("."));
  return edited;
}

/** Messages are merged by their ids, and new ones come last: a list in another order is sent as a whole. */
export function changedMessages(before: Json | undefined, now: Json | undefined): Json {
  if (!isList(before) || !isList(now)) return now ?? null;
  const known = new Map(before.map((message) => [idOf(message), message]));
  const kept = now.filter((message) => known.has(idOf(message)));
  const [left, right] = [
    kept.map(idOf),
    [...known.keys()].filter((id) => kept.some((one) => idOf(one) === id)),
  ];
  const isMerged =
    !known.has(undefined) &&
    sameJson(left.map(String), right.map(String)) &&
    now.slice(0, kept.length).every((message) => known.has(idOf(message)));
  if (!isMerged) return [{ type: "remove", id: "__remove_all__" }, ...now];
  const gone = [...known.keys()].filter((id) => !kept.some((message) => idOf(message) === id));
  return [
    ...gone.map((id) => ({ type: "remove", id })),
    ...now.filter((message) => !sameJson(message, known.get(idOf(message)))),
  ];
}

function idOf(value: Json | undefined): string | undefined {
  return isObject(value) ? textOf(value["id"]) : undefined;
}

/** A server fills in what a message lacks, such as its id. */
function sameTalk(one: Json | undefined, other: Json | undefined): boolean {
  const [left, right] = [chatMessages(one), chatMessages(other)];
  return (
    left.length === right.length && left.every((message, at) => fingerprint(message) === words(right[at]))
  );
}

function words(message: Parameters<typeof fingerprint>[0] | undefined): string | undefined {
  return message && fingerprint(message);
}
