import { deepEqual, equal } from "node:assert/strict";
import { TestMemento } from "../../../support/testMemento.ts";
import type { ConnectionSetting, ThreadTarget } from "../../../../src/editor/connections/connection.ts";
import type { RunSession } from "../../../../src/run/session/session.ts";
import "../fakeVscode.ts";

const { PanelFacts } = await import("../../../../src/editor/runPanel/panelFacts.ts");

const { SentInputs } = await import("../../../../src/editor/threads/inputs/sentInputs.ts");

type Needs = ConstructorParameters<typeof PanelFacts>[1];

describe("What a run panel shows beside the conversation", () => {
  const server = { connectionId: "c", server: { kind: "agentServer", url: "http://one" } } as const;
  const assistants = ["first", "clicked", "ran", "remembered"].map((id) => ({
    ...{ id, name: `The ${id}` },
    ...(id === "ran" && { graph: "fan" }),
  }));
  let globalState: TestMemento;
  let clockAhead: number;
  let connection: Partial<ConnectionSetting>;

  beforeEach(() => {
    globalState = new TestMemento();
    clockAhead = 0;
    connection = { name: "Production" };
  });

  async function facts(
    assistantId?: string,
    on: ThreadTarget = server,
  ): Promise<InstanceType<typeof PanelFacts>> {
    const host = {
      unsupported: new Map(),
      facts: () => Promise.resolve({ name: "One", assistants, title: undefined }),
    };
    const services = {
      threadHosts: { of: () => host },
      agentServers: { clockAhead: () => clockAhead },
      connections: { get: () => ({ kind: "agentServer", ...connection }) },
      context: { globalState, extensionUri: "" },
      sentInputs: new SentInputs(),
      threads: { knownTitle: () => undefined, setTitle: () => undefined },
      workspaceGraphs: { debugging: { of: () => undefined }, project: () => undefined },
    };
    const made = new PanelFacts({ ...on, assistantId }, services as unknown as Needs, () => undefined);
    await made.load(undefined);
    return made;
  }

  it("starts with the graph that was clicked, before the one that was chosen last on this server", async () => {
    equal((await facts()).composer.assistantId, "first");
    (await facts()).remember({ assistantId: "remembered", input: { text: "" }, streamModes: [] });
    equal((await facts()).composer.assistantId, "remembered");
    equal((await facts("clicked")).composer.assistantId, "clicked");
    equal((await facts("gone")).composer.assistantId, "remembered");
  });

  it("remembers what was chosen last on two hundred servers, and no more", async () => {
    const on = (number: number): ThreadTarget => ({
      connectionId: "c",
      server: { kind: "agentServer", url: `http://${String(number)}` },
    });
    const choice = { assistantId: "remembered", input: { text: "" }, streamModes: [] };
    for (let number = 0; number <= 200; number++) (await facts(undefined, on(number))).remember(choice);
    const chosen = async (number: number) => (await facts(undefined, on(number))).composer.assistantId;
    deepEqual([await chosen(0), await chosen(1), await chosen(200)], ["first", "remembered", "remembered"]);
    equal(globalState.keys().length, 1);
  });

  it("knows what an earlier version remembered, until something is chosen anew", async () => {
    globalState.set("composer c http://one", { assistantId: "remembered" });
    equal((await facts()).composer.assistantId, "remembered");
    (await facts()).remember({ assistantId: "ran", input: { text: "" }, streamModes: [] });
    equal((await facts()).composer.assistantId, "ran");
    deepEqual(globalState.keys(), ["composer.agents"]);
  });

  it("starts with the agent that ran last in the thread, whatever was clicked", async () => {
    const made = await facts("clicked");
    const entries = [{ kind: "run", id: "r", runId: "r", assistantId: "ran", status: "success" }];
    made.update({ threadId: undefined, entries } as unknown as RunSession);
    equal(made.composer.assistantId, "ran");
    equal(made.title, "New thread");
    // A thread that nobody named and that began without a word is called as in the tree.
    made.update({ threadId: "01a2-1ca9a4", entries } as unknown as RunSession);
    equal(made.title, "fan 1ca9a4");
  });

  it("calls an agent by its name, and by its id as long as that is not known", async () => {
    const made = await facts();
    equal(made.assistantName("ran"), "The ran");
    equal(made.assistantName("gone"), "gone");
  });

  it("says first on its tab, and to its page, that its connection is protected", async () => {
    deepEqual((await facts()).tab, {
      title: "New thread",
      icon: { light: "/media/agents-light.svg", dark: "/media/agents.svg" },
    });
    equal("mark" in (await facts()).state, false);
    connection = { name: "Production", protected: "word" };
    const made = await facts();
    const icon = "/media/shield/red.svg";
    deepEqual(made.tab, { title: "Production: New thread", icon: { light: icon, dark: icon } });
    deepEqual(made.state.mark, { isProtected: true, color: "red" });
    connection = { name: "Staging", color: "blue" };
    deepEqual((await facts()).state.mark, { isProtected: false, color: "blue" });
  });

  it("tells the page how far the server's clock is ahead, where it is", async () => {
    const made = await facts();
    equal("clockAhead" in made.state, false);
    clockAhead = -90_000;
    deepEqual(made.state.clockAhead, -90_000);
  });
});
