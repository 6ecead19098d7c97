import { strict as assert } from "node:assert";
import { COMMANDS, SECTION } from "../../src/editor/kit/ids.ts";
import { clauses, contributes } from "./contributions.ts";

/** More than these nobody reads through. */
const mostInPalette = 60;
const hidden = new Set(
  contributes.menus["commandPalette"]?.flatMap(({ command, when }) => (when === "false" ? command : [])),
);
const offered = contributes.commands.filter(({ command }) => !hidden.has(command));
/** What a click on a row or a status bar item does, and nothing else. */
const calledByRows: readonly string[] = [
  ...["threads.loadMore", "deployments.loadMore", "revisions.loadMore", "agents.loadMore"],
  ...[
    "agentThreads.loadMore",
    "inbox.loadMore",
    "inbox.preview",
    "deployment.allowKey",
    "bulk.openReport",
    "connection.actions",
    "node.runTo",
    "node.debug",
  ],
].map((name) => `${SECTION}.${name}`);

describe("Menus and the palette", () => {
  it(`offers at most ${String(mostInPalette)} commands in the palette`, () => {
    const message =
      "The palette is for what is started without a row: hide commands of rows and of a view's own title bar " +
      'by {"command": …, "when": "false"} in menus.commandPalette.';
    assert(offered.length <= mostInPalette, `${String(offered.length)} commands are offered. ${message}`);
  });

  it("offers what only the panel or document in front has only while one is in front", () => {
    const others = (contributes.menus["editor/title"] ?? []).filter(
      ({ command: id }) => !(contributes.menus["commandPalette"] ?? []).some(({ command }) => command === id),
    );
    assert.deepEqual(others, []);
  });

  it("leads to each command: one that the palette lacks stands in a menu, a row or a key", () => {
    const linked = new Set(clauses.flatMap(({ command, when }) => (when === "false" ? [] : (command ?? []))));
    const reached = (id: string): boolean => linked.has(id) || calledByRows.includes(id);
    assert.deepEqual(
      COMMANDS.filter((id) => !offered.some(({ command }) => command === id) && !reached(id)),
      [],
    );
  });

  it("names no other view than the command's own, and offers to mark as read only what is unread", () => {
    const others = contributes.commands.filter(
      ({ command, title }) => /\bInbox\b/.test(title) && !command.startsWith(`${SECTION}.inbox.`),
    );
    assert.deepEqual(others, []);
    const marking = clauses.filter(({ command = "" }) => /\.(issue|failure)\.markRead$/.test(command));
    assert(marking.length > 0);
    assert.deepEqual(
      marking.filter(({ when = "" }) => when !== "false" && !/unread|Gap/.test(when)),
      [],
    );
  });

  it("calls no two commands of the palette the same", () => {
    const titles = offered.map(({ title }) => title.replace(/…$/, ""));
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });

  it("offers in each view, and on its rows of connections, what that view is for", () => {
    const made = {
      deployments: "deployment.create",
      agents: "agent.create",
      toolServers: "toolServer.register",
      destinations: "destination.create",
    };
    for (const [view, wanted] of Object.entries(made)) {
      for (const menu of ["view/title", "view/item/context"]) {
        const offeredThere = (contributes.menus[menu] ?? []).filter(({ command = "", when = "" }) => {
          const isMade = Object.values(made).some((name) => command === `${SECTION}.${name}`);
          const isHere = when.includes(`view == ${SECTION}.${view}`) || !/\bview (==|=~)/.test(when);
          const isOfConnection = menu === "view/title" || /\^connection/.test(when);
          return isMade && isHere && isOfConnection;
        });
        assert.deepEqual(
          [...new Set(offeredThere.map(({ command }) => command))],
          [`${SECTION}.${wanted}`],
          `${menu} of ${view}`,
        );
      }
    }
  });

  it("offers for several selected rows only what is done to all of them", () => {
    const forAll = [
      ...["removeFromList", "delete", "openConsole", "copyId", "copyUrl"].map((act) => `deployment.${act}`),
      "bulk.begin",
      "agent.compareWith",
      ...[
        "thread.delete",
        "thread.copyId",
        "comparison.begin",
        "inbox.approve",
        "inbox.reject",
        "inbox.respond",
        "inbox.continue",
        "issue.markRead",
        "issue.remove",
      ],
      ...["failure.markRead", "failure.copy", "revision.compare"],
      ...["agentThread.pin", "agentThread.unpin", "agentThread.change"],
    ].map((command) => `${SECTION}.${command}`);
    const forOne = (contributes.menus["view/item/context"] ?? []).filter(
      ({ command = "", group = "" }) => !group.startsWith("inline") && !forAll.includes(command),
    );
    assert.deepEqual(
      forOne.filter(({ when = "" }) => !when.endsWith(" && !listMultiSelection")),
      [],
    );
  });
});
