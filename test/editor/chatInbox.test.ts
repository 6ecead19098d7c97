import { deepEqual, equal, match, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ConnectionSetting } from "../../src/editor/connections/connection.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { Inbox } from "../../src/editor/inbox/inbox.ts";
import { inboxDescription, inboxRows } from "../../src/editor/views/threads/inboxRows.ts";
import { drawRows, host, removeThreads, setKey } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { Person } from "./person.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { watchRequests } from "./requests.ts";

describe("The Inbox view, of a chat backend whose threads began elsewhere", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connection: ConnectionSetting;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await removeThreads(platform);
    await vscode.commands.executeCommand("agentOperations.inbox.focus");
    const { deploymentUrl: url, apiKey } = platform.ready;
    connection = await extension.connections.add({ name: "Chat", kind: "protocol", url });
    await setKey(extension, connection.id, [url], apiKey);
  });

  const send = async (threadId: string, method: string, params: object): Promise<void> => {
    const { text } = await platform.send("POST", `/api/threads/${threadId}/commands`, {
      id: 1,
      method,
      params,
    });
    match(text, /"type":"success"/);
  };
  const state = async (threadId: string): Promise<Shape> =>
    (await platform.send("GET", `/api/threads/${threadId}/state`)).body;
  const interrupt = async (threadId: string): Promise<Shape | undefined> => {
    const tasks = (await state(threadId)).tasks as unknown as Shape[];
    return tasks.flatMap((task) => task["interrupts"] as unknown as Shape[])[0];
  };
  const hasStopped = async (threadId: string): Promise<boolean> => {
    const { next } = await state(threadId);
    return (next as unknown as string[]).length === 0 || (await interrupt(threadId)) !== undefined;
  };
  /** Another application lets an agent work on a new thread until it stops. */
  const elsewhere = async (text: string, agent: string): Promise<string> => {
    const threadId = randomUUID();
    const input = { messages: [{ role: "user", content: text }] };
    await send(threadId, "run.start", { assistant_id: agent, input });
    await until("the thread is listed", async () => (await listed()).includes(threadId));
    await until("the run has stopped", () => hasStopped(threadId));
    return threadId;
  };
  const listed = async (): Promise<string> => (await platform.send("GET", "/api/threads")).text;
  const answerElsewhere = async (threadId: string): Promise<void> => {
    const { id: interrupt_id } = (await interrupt(threadId))!;
    const response = { decisions: [{ type: "approve" }] };
    await send(threadId, "input.respond", { namespace: [], interrupt_id, response });
  };
  const shown = async (): Promise<readonly string[]> => {
    await extension.views.inbox.refresh();
    return drawRows(extension.views.inbox.polled.nodes);
  };

  it("lists what waits there by what is asked, the oldest first, and nothing else", async () => {
    await elsewhere("Tell them first", "approval");
    await elsewhere("Good morning", "echo");
    await elsewhere("Tell them later", "approval");
    deepEqual(
      (await shown()).map((row) => row.replace(/ · (now|\d+ \w+ ago)$/, "")),
      ["Chat · send_email | Tell them first", "Chat · send_email | Tell them later"],
    );
    equal(extension.views.inbox.polled.view.description, "2 waiting");
    await extension.views.deployments.refresh();
    ok(extension.waitingThreads.count(connection.id) === 2, "the count beside the connection agrees");
  });

  it("opens such a thread on its question, and it can be answered there", async () => {
    const threadId = await elsewhere("Tell them", "approval");
    await shown();
    const [waiting] = extension.inbox.threads;
    ok(waiting);
    equal(waiting.ref.threadId, threadId);
    await vscode.commands.executeCommand("agentOperations.inbox.answer", waiting.ref);
    const panel = extension.panels.all.at(-1)!;
    await until("the question is shown", () =>
      panel.session.entries.some((entry) => entry.kind === "interrupt" && entry.state === "open"),
    );
    using person = new Person();
    person.presses("Approve");
    await vscode.commands.executeCommand("agentOperations.inbox.approve", waiting.ref);
    await until("it went on", async () => (await interrupt(threadId)) === undefined);
    await until("the row is gone", async () => (await shown()).length === 0);
  });

  it("finds a new question while it is seen, and lets go of what was answered elsewhere", async () => {
    using time = holdTime(extension);
    await shown();
    const waiting = (count: number) => () => extension.inbox.threads.length === count;
    const threadId = await elsewhere("Tell them", "approval");
    await time.until("the row is there", waiting(1));
    await answerElsewhere(threadId);
    await time.until("the row is gone", waiting(0));
  });

  it("asks about a thread that is over once, and again when it changed", async () => {
    const threadId = await elsewhere("Tell them", "approval");
    await answerElsewhere(threadId);
    await until("it is over", async () => (await state(threadId)).next?.[0] === undefined);
    const requests = watchRequests(extension, ({ url }) => url.includes(`${threadId}/state`));
    await shown();
    await shown();
    equal(requests.urls.length, 1);
    const input = { messages: [{ role: "user", content: "Tell them again" }] };
    await send(threadId, "run.start", { assistant_id: "approval", input });
    await until("it stopped", async () => (await interrupt(threadId)) !== undefined);
    equal((await shown()).length, 1);
    equal(requests.stop().length, 2);
  });

  it("shows what waits beside the reason why another thread could not be asked", async () => {
    const broken = await elsewhere("Tell nobody", "approval");
    await elsewhere("Tell them", "approval");
    const faults = `${platform.ready.localUrl}/faults`;
    await platform.send("POST", faults, {
      match: { path: `/${broken}/state$` },
      status: 403,
      times: 1000,
    });
    try {
      await shown();
      const rows = await shown();
      ok(rows.includes("Could not be read | Chat"), rows.join("\n"));
      ok(
        rows.some((row) => row.startsWith("Chat · send_email | Tell them")),
        rows.join("\n"),
      );
      ok(!rows.some((row) => row.includes("Tell nobody")), rows.join("\n"));
    } finally {
      await platform.send("DELETE", faults);
    }
    equal((await shown()).length, 2);
  });

  it("says where a backend lists more threads than were asked about", async () => {
    for (const text of ["One", "Two", "Three"]) await elsewhere(text, "approval");
    const inbox = new Inbox(extension, { most: 2 });
    await inbox.load(true);
    const options = { inbox, count: 0, connection: () => connection, now: Date.now };
    const rows = inboxRows(options, host());
    equal(rows[2]!.item().label, "Load more (2 shown)");
    equal(inboxDescription(inbox.contents!, inbox.threads.length), "2 waiting, perhaps more");
    await inbox.loadMore();
    equal(inboxDescription(inbox.contents!, inbox.threads.length), "3 waiting");
    inbox.dispose();
  });
});
