/** What can be done in the Failures view: look again, mark what was seen, and pass on what is broken. */

import type { CommandsOf } from "../kit/commands.ts";
import type { ListedFailure } from "../failures/listedFailure.ts";
import { meant } from "../kit/ask/meant.ts";
import { VIEWS } from "../kit/ids.ts";
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
  const failuresMeant = (args: readonly unknown[]): readonly ListedFailure[] => {
    const refs = meant(args, "failureKey", [{ viewId: VIEWS.failures, rows: view.selected }]) ?? [];
    const keys = new Set(refs.map(({ failureKey }) => failureKey));
    return failures.items.filter(({ key }) => keys.has(key));
  };
  return {
    "agentOperations.failures.refresh": () => view.refresh(),
    "agentOperations.failures.markAllRead": () => failures.markRead(failures.items),
    "agentOperations.failure.markRead": (...args) => failures.markRead(failuresMeant(args)),
    "agentOperations.failure.copy": (...args) =>
      copyLines(
        failuresMeant(args).map((failure) => failureText(failure, view.connectionOf(failure))),
        "failure",
      ),
  };
}
