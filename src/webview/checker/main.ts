/** A worker of the run panel's page that checks inputs: a schema that makes that last long must not hold up the page. */

import type { Json } from "../../run/panel/messages.ts";
import { SchemaCheck } from "../../run/schema/check.ts";
import type { CheckAnswer, CheckRequest } from "./messages.ts";

const checks = new Map<number, SchemaCheck>();

addEventListener("message", ({ data }: MessageEvent<CheckRequest>) => {
  const { id, key, schema, text } = data;
  if (schema !== undefined) checks.set(key, new SchemaCheck(schema));
  const check = checks.get(key)?.check(JSON.parse(text) as Json) ?? { unchecked: "The schema is not known." };
  const answer: CheckAnswer = { id, check };
  postMessage(answer);
});
