import { deepEqual, doesNotMatch, equal, match, notEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { RemedyAction } from "../../../../src/api/advice.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ErrorKind } from "../../../../src/api/errors.ts";
import { ConnectionError } from "../../../../src/editor/connections/connectionSettings.ts";
import type { ConnectionReason } from "../../../../src/editor/connections/connectionSettings.ts";
import { listenError } from "../../../../src/editor/issues/issueReceiver.ts";
import { COMMANDS } from "../../../../src/editor/kit/ids.ts";
import {
  adviceFor,
  adviceText,
  clickFor,
  commandOf,
  describeFailure,
  NotPossibleError,
  RemediableError,
  titleOf,
} from "../../../../src/editor/kit/remedies.ts";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import { LocalPlatformError } from "../../../../src/editor/localPlatform/localPlatformProcess.ts";
import { pageRequestOf } from "../../../../src/editor/runPanel/page.ts";
import type { ToolServerFacts } from "../../../../src/editor/toolServers/toolServers.ts";
import { CourseRefusal } from "../../../../src/run/repair/threadPosition.ts";
import { parquetErrorOf } from "../../../../src/table/parquetError.ts";
import { editor } from "../fakeVscode.ts";

const { FailureNode } = await import("../../../../src/editor/kit/tree/failureNode.ts");
const { Report } = await import("../../../../src/editor/kit/report.ts");
const { failureRow, failureTooltip } = await import("../../../../src/editor/views/failures/failureRow.ts");
const { toolServerNode } = await import("../../../../src/editor/views/toolServers/toolServerRows.ts");
const { emptyReasonOf } = await import("../../../../src/editor/views/deployments/emptyReason.ts");

/** What helps first, for every kind of a failed call. */
const first: Readonly<Record<ErrorKind, RemedyAction>> = {
  dns: "testConnection",
  refused: "testConnection",
  unreachable: "testConnection",
  tls: "testConnection",
  proxy: "testConnection",
  timeout: "retry",
  aborted: "retry",
  redirected: "editConnection",
  unauthorized: "setApiKey",
  forbidden: "setApiKey",
  missingPermission: "setApiKey",
  notFound: "retry",
  unsupported: "testConnection",
  conflict: "retry",
  invalid: "retry",
  tooLarge: "retry",
  answerTooLarge: "retry",
  rateLimited: "retry",
  server: "retry",
  notJson: "editConnection",
  malformed: "editConnection",
  cut: "retry",
  runFailed: "retry",
};

/** The same for connections that can't be used. */
const firstOfConnection: Readonly<Record<ConnectionReason, RemedyAction | undefined>> = {
  unknown: undefined,
  invalidEntry: "editConnection",
  duplicateId: "editConnection",
  unknownKind: "editConnection",
  invalidUrl: "editConnection",
  forbiddenHeader: "editConnection",
  environmentMissing: "editConnection",
  controlPlaneMissing: "editConnection",
  serverMissing: "editConnection",
  silent: "testConnection",
  localPlatformStopped: "startLocalPlatform",
  graphsStopped: "startGraphs",
};

const url = "https://u:s3cret@api.example.com/threads/t/runs?key=s3cret";
const failures: readonly (readonly [string, Error, RemedyAction | undefined])[] = [
  ...Object.entries(first).map(
    ([kind, action]) =>
      [kind, new ApiError(kind as ErrorKind, { method: "GET", url, detail: "It is so." }), action] as const,
  ),
  ...Object.entries(firstOfConnection).map(
    ([reason, action]) =>
      [
        `a connection: ${reason}`,
        new ConnectionError(reason as ConnectionReason, "It is broken.", "Mend it."),
        action,
      ] as const,
  ),
  ["the Local Platform", new LocalPlatformError("It ended.", "Start it again."), "startLocalPlatform"],
  ["the receiver of webhooks", listenError(80, new Error("no")), "openReceiverPort"],
  ["what can't be done", new NotPossibleError("No.", "Do something else."), undefined],
  [
    "what there is none of yet",
    new NotPossibleError("There is none.", "Create one first.", ["createDestination"]),
    "createDestination",
  ],
  ["a thread whose course stays", new CourseRefusal("It is busy.", "Wait until it is idle."), undefined],
  ["a file that can't be read", parquetErrorOf(new Error("EACCES")), undefined],
  ["any other error", new TypeError("oops"), "retry"],
];

describe("The advice for a failure", () => {
  for (const [name, error, expected] of failures) {
    it(`is the same wherever it is shown: ${name}`, async () => {
      const { message, remedy, actions } = adviceFor(error);
      match(message, /./);
      match(remedy, /^[A-Z].*\.$/);
      doesNotMatch(remedy, /[.!?] /, "one next step, in one sentence");
      doesNotMatch(adviceText({ message, remedy }), /\.\.| \.|\. \.|"| {2}/);
      equal(actions[0], expected);
      equal(new Set(actions).size, actions.length);

      const row = rowOf(error);
      equal(row.description, remedy);
      deepEqual(row.command, clickOf(expected, refresh, { connectionId: "c" }));

      const panel = describeFailure(error);
      ok(panel.message === adviceText({ message, remedy }));
      deepEqual(
        panel.actions,
        actions.map((action) => ({ title: titleOf(action), action })),
      );
      for (const { action } of panel.actions) notEqual(pageRequestOf({ type: "remedy", action }), undefined);

      await checkNotification(error, expected);
      checkEmptyView(error, actions);
      if (error instanceof ApiError || error instanceof RemediableError) checkFailureRow(error, expected);
      await checkToolRow(error, expected);
    });
  }

  it("names commands that exist", () => {
    const known: readonly string[] = [...COMMANDS, "workbench.action.openSettings"];
    for (const [, error] of failures)
      for (const action of adviceFor(error).actions) {
        const { command } = commandOf(action, undefined) ?? {};
        ok(action === "retry" ? command === undefined : known.includes(command ?? ""), action);
      }
  });

  it("is never asked for by a page in other words", () => {
    for (const action of ["toString", "", 1, undefined])
      equal(pageRequestOf({ type: "remedy", action }), undefined);
  });

  it("offers to do a thing again only where it can be done", () => {
    equal(clickFor(new TypeError("oops"), {}, undefined), undefined);
    const { buttons } = notified(new TypeError("oops"), undefined);
    deepEqual(buttons, ["Show Log"]);
  });
});

const refresh = "agentOperations.deployments.refresh";

function rowOf(error: unknown): vscode.TreeItem {
  const parent: TreeNode = {
    id: "parent",
    parent: undefined,
    known: [],
    snapshot: () => "",
    item: () => rowOf(error),
    children: () => Promise.resolve([]),
  };
  return new FailureNode(parent, { connectionId: "c" }, { error }, refresh).item();
}

/** What a row's click does for the first action; `again` asks again for what the row is about. */
function clickOf(expected: RemedyAction | undefined, again: string, ref: object) {
  return commandOf(expected ?? "retry", "c") ?? { title: "Try Again", command: again, arguments: [ref] };
}

/** The Failures view has its own words for what is broken, and the same advice. */
function checkFailureRow(error: ApiError | RemediableError, expected: RemedyAction | undefined): void {
  for (const kind of ["connection", "server", "delivery"] as const) {
    const ref = { connectionId: "c", deploymentId: "d" };
    const failure = { key: "k", kind, ref, name: "Bot", what: "failed", reason: "So", at: 0, error };
    const row = failureRow(failure, { connection: undefined, unread: false, now: 0 });
    deepEqual(row.command, clickOf(expected, "agentOperations.failures.refresh", ref));
    ok(failureTooltip(failure, "").value.includes(adviceFor(error).remedy));
  }
}

/** A tool server's tools are asked for again by themselves. */
async function checkToolRow(error: Error, expected: RemedyAction | undefined): Promise<void> {
  const server = { id: "s", name: "Everything", url: "https://tools.test", auth_type: "headers" };
  const ref = { connectionId: "c", toolServerId: "s", server, grant: "none" } as unknown as ToolServerFacts;
  const row = toolServerNode(ref, undefined as unknown as TreeNode, {
    host: { refresh, signal: new AbortController().signal, changed: () => undefined, isOpen: () => true },
    authAttempts: { of: () => undefined },
    toolServers: { isPicked: () => false, tools: () => Promise.reject(error) },
  });
  const [failed] = await row.children();
  equal(failed?.item().description, adviceFor(error).remedy);
  deepEqual(failed.item().command, clickOf(expected, "agentOperations.toolServer.loadTools", ref));
}

/** Its first button is the first action, does it, and the log is one press away. */
async function checkNotification(error: unknown, expected: RemedyAction | undefined): Promise<void> {
  if (error instanceof ApiError && error.kind === "aborted") return;
  let retried = 0;
  const { text, buttons, press } = notified(error, () => (retried += 1));
  ok(text.includes(adviceFor(error).remedy.replace(/\.$/, "")));
  equal(buttons.at(-1), "Show Log");
  equal(buttons[0], expected === undefined ? "Show Log" : titleOf(expected));
  if (expected === undefined) return;
  editor.commands.length = 0;
  await press(titleOf(expected));
  const { command, arguments: args = [] } = commandOf(expected, "c") ?? {};
  deepEqual(editor.commands, command === undefined ? [] : [[command, ...args]]);
  equal(retried, command === undefined ? 1 : 0);
}

function notified(error: unknown, retry: (() => void) | undefined) {
  const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;
  editor.shown.length = 0;
  new Report(log).failure("Test", error, { connectionId: "c", ...(retry !== undefined && { retry }) });
  const [shown] = editor.shown;
  ok(shown);
  return {
    text: shown.text,
    buttons: shown.buttons.map(({ title }) => title),
    press: async (title: string) => {
      shown.press(title);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when?: string;
}

/** The buttons of the empty view that stands for the failure are actions of it, in the same order. */
function checkEmptyView(error: unknown, actions: readonly RemedyAction[]): void {
  for (const hasKey of [true, false]) {
    const reason = emptyReasonOf(error, hasKey);
    if (reason === undefined) continue;
    const welcome = welcomes.find(({ when }) => when === `agentOperations.deploymentsEmpty == ${reason}`);
    const buttons = [...(welcome?.contents ?? "").matchAll(/\(command:([^)]+)\)/g)].map(([, id]) => id);
    const offered = actions.map((action) => commandOf(action, undefined)?.command ?? refresh);
    notEqual(buttons.length, 0);
    deepEqual(buttons, offered.slice(0, buttons.length));
  }
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8")) as {
  readonly contributes: { readonly viewsWelcome: readonly Welcome[] };
};
const welcomes = manifest.contributes.viewsWelcome;
