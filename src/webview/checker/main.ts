/** A worker of the run panel's page that checks inputs: a schema that makes that last long must not hold up the page. */

import { parseJson } from "../../run/json/json.ts";
import { type Check, SchemaCheck } from "../../run/schema/check.ts";
import type { CheckAnswer, CheckRequest } from "./messages.ts";

const checks = new Map<number, SchemaCheck>();

addEventListener("message", ({ data }: MessageEvent<CheckRequest>) => {
  const { id, key, schema, text } = data;
  if (schema !== undefined) checks.set(key, new SchemaCheck(schema));
  const answer: CheckAnswer = { id, check: checkOf(text, checks.get(key)) };
  postMessage(answer);
});

function checkOf(text: string, check: SchemaCheck | undefined): Check {
  const value = parseJson(text);
  if (value === undefined) return { unchecked: "This can't be checked: it is no JSON." };
  return check?.check(value) ?? { unchecked: "The schema is not known." };
}
