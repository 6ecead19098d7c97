/** What a server refuses of a deployment, by the places of the draft. */

import type { JsonObject } from "../../../api/agentServer/wire.ts";
import type { ApiError } from "../../../api/errors.ts";
import type { DraftProblem } from "../../deployments/drafts/deploymentDraft.ts";
import { pathOf, pathsNamedIn } from "../../deployments/drafts/draftPlaces.ts";

/** The fields of a 422, or those that a plain sentence names; none when the draft has nothing to do with it. */
export function refusedFields(
  { kind, fields = [], detail }: ApiError,
  draft: JsonObject,
): readonly DraftProblem[] {
  if (kind !== "invalid") return [];
  if (fields.length > 0) return fields.map((field) => ({ path: pathOf(field), message: field.msg }));
  const message = detail ?? "The platform does not accept this.";
  const named = pathsNamedIn(message, draft);
  return (named.length === 0 ? [[]] : named).map((path) => ({ path, message }));
}
