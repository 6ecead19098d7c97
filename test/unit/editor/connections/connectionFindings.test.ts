import { deepEqual, equal, rejects } from "node:assert/strict";
import type { AgentServerRef, ConnectionKind } from "../../../../src/editor/connections/connection.ts";
import "../fakeVscode.ts";

const { ConnectionFindings } = await import("../../../../src/editor/connections/connectionFindings.ts");

type Needs = ConstructorParameters<typeof ConnectionFindings>[0];

const named: AgentServerRef = {
  ...{ connectionId: "c", name: "Named", url: "http://named.test" },
  server: { kind: "agentServer", url: "http://named.test" },
};

describe("What was found out about a connection", () => {
  let kind: ConnectionKind;
  let state: "stopped" | "starting" | "running";
  let key: string;
  let servers: () => Promise<readonly AgentServerRef[]>;
  let other: string | undefined;
  let asked: string[];
  let findings: InstanceType<typeof ConnectionFindings>;
  /** What was known each time the model said that more is. */
  let told: unknown[];

  beforeEach(() => {
    [kind, state, key, other] = ["platform", "stopped", "stored", undefined];
    servers = () => Promise.resolve([named]);
    [asked, told] = [[], []];
    const services = {
      agentServers: { named: () => servers() },
      apiKeys: { state: () => Promise.resolve(key) },
      connections: { get: (id: string) => (id === "c" ? { id, kind } : undefined) },
      workspaceGraphs: {
        state: () => ({ kind: state }),
        file: () => Promise.resolve({ graphs: ["chat"] }),
        otherServer: (id: string) => {
          asked.push(id);
          return Promise.resolve(other);
        },
      },
    };
    findings = new ConnectionFindings(services as unknown as Needs);
    findings.onDidChange(() => told.push({ ...findings.of("c") }));
  });

  afterEach(() => findings.dispose());

  it("is nothing before somebody looks, then its key and its named servers, and is told", async () => {
    deepEqual(findings.of("c"), {});
    await findings.find("c");
    deepEqual(findings.of("c"), { key: "stored", named: [named] });
    deepEqual([told, asked], [[findings.of("c")], []]);
    deepEqual(findings.of("other"), {});
  });

  it("is found out again, and known as before meanwhile", async () => {
    await findings.find("c");
    key = "lost";
    servers = () => {
      deepEqual(findings.of("c").named, [named]);
      return Promise.resolve([]);
    };
    await findings.find("c");
    deepEqual(findings.of("c"), { key: "lost", named: [] });
    equal(told.length, 2);
  });

  it("has the state of the key although the connection can't be used", async () => {
    key = "envMissing";
    servers = () => Promise.reject(new Error("The connection has no address."));
    await rejects(findings.find("c"), /no address/);
    deepEqual(told, [{ key: "envMissing" }]);
  });

  it("is forgotten, with what is still on its way", async () => {
    await findings.find("c");
    const { promise, resolve } = Promise.withResolvers<readonly AgentServerRef[]>();
    servers = () => promise;
    const late = findings.find("c");
    findings.forget("c");
    deepEqual(findings.of("c"), {});
    resolve([named]);
    await late;
    deepEqual(findings.of("c"), {});
  });

  describe("that is graphs of this workspace", () => {
    beforeEach(() => {
      kind = "workspaceGraphs";
    });

    it("is its servers while they run, and their file while they do not", async () => {
      state = "running";
      await findings.find("c");
      deepEqual(findings.of("c"), { key: "stored", named: [named] });
      findings.forget("c");
      state = "starting";
      await findings.find("c");
      deepEqual([findings.of("c"), asked], [{ graphs: ["chat"] }, []]);
    });

    it("is a server that was started outside of the editor, as it comes and goes", async () => {
      other = "http://127.0.0.1:2024";
      equal(await findings.findOtherServer("c"), false, "nobody looked at the connection");
      deepEqual(asked, []);
      await findings.find("c");
      equal(findings.of("c").other, other);
      told = [];
      equal(await findings.findOtherServer("c"), false);
      deepEqual(told, [], "nothing changed");
      other = undefined;
      equal(await findings.findOtherServer("c"), true);
      deepEqual(told, [{ graphs: ["chat"], other }]);
      state = "running";
      other = "http://127.0.0.1:2025";
      equal(await findings.findOtherServer("c"), false, "its own server runs");
      equal(findings.of("c").other, undefined);
    });
  });
});
