/** What can be done in the Failures view: look again, mark what was seen, and pass on what is broken. */

import type { CommandsOf } from "../kit/commands.ts";
import { copyLines } from "../kit/ask/clipboard.ts";
import type { Services } from "../services.ts";
import { failureText } from "../failures/listedFailure.ts";
import type { Views } from "../views/index.ts";

/** The commands of the view and its rows. */
export function commands(
  { failures }: Services,
  { views }: { readonly views: Pick<Views, "failures"> },
): CommandsOf<"failures" | "failure"> {
  const view = views.failures;
  /** The clicked row with all that are selected. */
  const meant = ([clicked, selected]: readonly unknown[]) =>
    view.meant(Array.isArray(selected) && selected.length > 0 ? selected : [clicked]);
  return {
    "agentOperations.failures.refresh": () => view.refresh(),
    "agentOperations.failures.markAllRead": () => failures.markRead(failures.items),
    "agentOperations.failure.markRead": (...args) => failures.markRead(meant(args)),
    "agentOperations.failure.copy": (...args) =>
      copyLines(
        meant(args).map((failure) => failureText(failure, view.connectionOf(failure))),
        "failure",
      ),
  };
}
