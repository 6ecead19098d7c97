/** Giving the headers of a tool server new values; the old ones are never shown. */

import * as vscode from "vscode";
import { showWarning } from "../../kit/notice.ts";
import { RefusalError } from "../../kit/refusal.ts";
import type { Services } from "../../services.ts";
import type { ChosenServer } from "./toolServerChoice.ts";
import { askHeader, askHeaderValue } from "./toolServerForm.ts";
import { askChoice } from "../../kit/ask/steps.ts";

type Wish = { readonly kind: "rotate" | "remove"; readonly key: string } | { readonly kind: "add" };

/** Changes one header, adds one or takes one away; the others stay as the platform has them. */
export async function rotateHeaders(
  services: Services,
  { connectionId, server }: ChosenServer,
): Promise<void> {
  const { name, headers } = server;
  if (headers === undefined) {
    throw new RefusalError(
      `You may not see the headers of “${name}”.`,
      "Ask an administrator for the permission mcp-servers:invoke.",
    );
  }
  const title = `Headers of “${name}”`;
  const keys = headers.map(({ key }) => key);
  for (;;) {
    const wish = keys.length === 0 ? ({ kind: "add" } as const) : await choose(title, keys);
    if (wish === undefined) return;
    if (wish.kind === "remove" && !(await confirms(name, wish.key))) return;
    const change = await changeFor(title, wish, keys);
    if (change === "cancel" || (change === "back" && keys.length === 0)) return;
    if (change === "back") continue;
    const { toolServers } = await services.platforms.managedAgents(connectionId);
    await toolServers.changeHeaders(server.id, change);
    vscode.window.setStatusBarMessage(`Headers of “${name}” changed`, 3000);
    return;
  }
}

/** What is taken away can't be had back: the platform shows nobody its value. */
async function confirms(server: string, key: string): Promise<boolean> {
  const detail =
    "Its value is deleted on the platform, and the tool server is asked without it from then on.";
  const verb = "Take Away";
  const options = { modal: true, detail };
  return (await showWarning(`Take the header ${key} away from “${server}”?`, options, verb)) === verb;
}

async function choose(title: string, keys: readonly string[]): Promise<Wish | undefined> {
  const rows = [
    ...keys.map((key) => ({
      label: `$(key) New value for ${key}…`,
      value: { kind: "rotate", key } as const,
    })),
    { label: "$(add) Add a header…", value: { kind: "add" } as const },
    ...keys.map((key) => ({ label: `$(trash) Take away ${key}…`, value: { kind: "remove", key } as const })),
  ];
  const answer = await askChoice<Wish>({ title }, rows, { placeholder: "What do you want to change?" });
  return answer.kind === "next" ? answer.value : undefined;
}

async function changeFor(
  title: string,
  wish: Wish,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | undefined> | "back" | "cancel"> {
  const place = { title, canGoBack: true };
  switch (wish.kind) {
    case "remove":
      return new Map([[wish.key, undefined]]);
    case "rotate": {
      const answer = await askHeaderValue(place, wish.key);
      return answer.kind === "next" ? new Map([[wish.key, answer.value]]) : answer.kind;
    }
    case "add": {
      const answer = await askHeader(place, keys);
      return answer.kind === "next" ? new Map([[answer.value.key, answer.value.value]]) : answer.kind;
    }
    default:
      return wish satisfies never;
  }
}
