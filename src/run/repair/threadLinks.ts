/** What binds a thread whose run was stranded to the copy in which it goes on: names in the metadata of both. */

import type { JsonObject } from "../../api/agentServer/wire.ts";
import { textOf } from "../json/json.ts";
import type { ThreadLinks } from "../panel/messages.ts";

const [continuedIn, continuedFrom] = ["continued_in", "continued_from"] as const;

/** The links in a thread's metadata. */
export function linksIn(metadata: JsonObject | undefined): ThreadLinks {
  const [copy, original] = [textOf(metadata?.[continuedIn]), textOf(metadata?.[continuedFrom])];
  return {
    ...(copy !== undefined && { continuedIn: copy }),
    ...(original !== undefined && { continuedFrom: original }),
  };
}

/** The metadata of a thread that goes on in a copy. */
export function leadsTo(copyId: string): JsonObject {
  return { [continuedIn]: copyId };
}

/** The metadata of the copy. */
export function comesFrom(threadId: string): JsonObject {
  return { [continuedFrom]: threadId };
}
