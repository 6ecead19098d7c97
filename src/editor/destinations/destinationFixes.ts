/** What can be done at once about a refused destination: each fix is a button that tries again. */

import type { BulkExportFailure } from "../../api/bulkExports/bulkExportFailure.ts";
import type { CommandId } from "../kit/ids.ts";
import type { DestinationDraft } from "./destinationDraft.ts";

/** The fields that a fix may ask for again. */
export type FixField = "credentials" | "bucket" | "region" | "endpoint";

/** A button: a change that is known, a field that is asked for again, or another command. */
export type Fix =
  | { readonly title: string; readonly change: Partial<DestinationDraft>; readonly ask?: FixField }
  | { readonly title: string; readonly ask: FixField }
  | { readonly title: string; readonly command: CommandId };

/** The buttons for a cause, the most likely one first. */
export function fixesFor(
  { cause }: Pick<BulkExportFailure, "cause">,
  draft: DestinationDraft,
): readonly Fix[] {
  switch (cause) {
    case "accessDenied":
    case "sessionExpired":
    case "keyIdUnknown":
      return [{ title: "Enter Other Credentials", ask: "credentials" }];
    case "bucketNotValid":
      return [
        { title: "Change Bucket", ask: "bucket" },
        { title: "Change Region", ask: "region" },
      ];
    case "invalidEndpoint":
      if (draft.store === "aws") return [{ title: "Change Region", ask: "region" }];
      return [
        { title: "Correct Endpoint", ask: "endpoint" },
        { title: "Use AWS Without Endpoint", change: { store: "aws", endpoint: "" }, ask: "region" },
      ];
    case "invalidBucketName":
      return draft.addressing === "virtual"
        ? [
            { title: "Retry with addressing_style path", change: { addressing: "path" } },
            { title: "Change Bucket", ask: "bucket" },
          ]
        : [{ title: "Retry with addressing_style virtual", change: { addressing: "virtual" } }];
    case "permissionMissing":
      return [{ title: "Set API Key", command: "agentOperations.connection.setApiKey" }];
    case "workspaceMissing":
      return [{ title: "Edit Connection", command: "agentOperations.connection.edit" }];
    default:
      return cause satisfies never;
  }
}
