/** Giving the headers of a tool server new values; the old ones are never shown. */

import { showStatus } from "../../kit/notice.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { confirmAct } from "../../connections/guard.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { ChosenServer } from "./toolServerChoice.ts";
import { askHeader, askHeaderValue } from "./toolServerForm.ts";
import { askChoice, askThen, type Heading } from "../../kit/ask/questions.ts";

type Change = { readonly kind: "rotate" | "remove"; readonly key: string } | { readonly kind: "add" };

/** Whose headers they are. */
interface Owner {
  readonly keys: readonly string[];
  readonly server: string;
  readonly connection: ConnectionSetting;
}

/** Changes one header, adds one or takes one away; the others stay as the platform has them. */
export async function rotateHeaders(
  { connections, toolServers }: Services,
  { server, ...ref }: ChosenServer,
): Promise<void> {
  const { name, headers } = server;
  if (headers === undefined) {
    throw new NotPossibleError(
      `You may not see the headers of “${name}”.`,
      "Ask an administrator for the permission mcp-servers:invoke.",
    );
  }
  const title = `Headers of “${name}”`;
  const connection = connections.resolve(ref.connectionId);
  const keys = headers.map(({ key }) => key);
  const add: Change = { kind: "add" };
  const change = await askThen(
    () => (keys.length === 0 ? Promise.resolve(add) : choose(title, keys)),
    (chosen) => valuesFor({ title, canGoBack: keys.length > 0 }, chosen, { keys, server: name, connection }),
  );
  await toolServers.changeHeaders(ref, change);
  showStatus(`Headers of “${name}” changed`, 3000);
}

function choose(title: string, keys: readonly string[]): Promise<Change> {
  const rows = [
    ...keys.map((key) => ({
      label: `$(key) New value for ${key}…`,
      value: { kind: "rotate", key } as const,
    })),
    { label: "$(add) Add a header…", value: { kind: "add" } as const },
    ...keys.map((key) => ({ label: `$(trash) Remove ${key}…`, value: { kind: "remove", key } as const })),
  ];
  return askChoice<Change>({ title }, rows, { placeholder: "What do you want to change?" });
}

async function valuesFor(
  heading: Heading,
  change: Change,
  { keys, server, connection }: Owner,
): Promise<ReadonlyMap<string, string | undefined>> {
  switch (change.kind) {
    case "remove": {
      // A removed value can't be restored: the platform shows it to nobody.
      const question = `Remove the header ${change.key} from “${server}”?`;
      const detail =
        "Its value is deleted on the platform, and the tool server is asked without it from then on.";
      await confirmAct(connection, { name: server, question, detail, verb: "Remove", always: true });
      return new Map([[change.key, undefined]]);
    }
    case "rotate":
      return new Map([[change.key, await askHeaderValue(heading, change.key)]]);
    case "add": {
      const { key, value } = await askHeader(heading, keys);
      return new Map([[key, value]]);
    }
    default:
      return change satisfies never;
  }
}
