/** What a server says about a failed run, in one line. */

import type { Json } from "../../api/agentServer/wire.ts";
import { isObject, parseJson, textOf } from "../json/json.ts";

/** The line, and the whole error as JSON where there is more to it. */
export interface RunFailure {
  readonly text: string;
  readonly detail?: string;
}

/** Reads an error event's data or a task's error: an object, its JSON in a string, or a bare string. */
export function failureText(value: Json): RunFailure {
  const error = unwrapped(value);
  if (!isObject(error))
    return { text: typeof error === "string" && error !== "" ? error : "The run failed." };
  const name = textOf(error["error"]) ?? textOf(error["name"]);
  const message = textOf(error["message"]) ?? textOf(error["detail"]);
  if (message === "rollback") return { text: "The run was rolled back." };
  const text = message === undefined ? (name ?? "The run failed.") : withName(name, message);
  const [first = text] = text.split("\n");
  return { text: first, detail: JSON.stringify(error) };
}

function withName(name: string | undefined, message: string): string {
  return name === undefined || name === "Error" || message.startsWith(name) ? message : `${name}: ${message}`;
}

/** Some servers put the error as JSON into the message, or into a string. */
function unwrapped(value: Json): Json {
  if (typeof value === "string") {
    const inner = parseJson(value);
    return isObject(inner) || typeof inner === "string" ? unwrapped(inner) : value;
  }
  if (!isObject(value) || typeof value["message"] !== "string") return value;
  const inner = parseJson(value["message"]);
  return isObject(inner) && inner["message"] !== undefined ? unwrapped(inner) : value;
}
