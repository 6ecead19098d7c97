import { strict as assert } from "node:assert";
import { createServer } from "node:net";
import { once } from "node:events";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, listProcesses, processesBelow } from "../../src/editor/kit/nodeProcess.ts";
import { findCommandLine } from "../../src/editor/workspaceGraphs/commandLine.ts";
import { GraphServer } from "../../src/editor/workspaceGraphs/graphServer.ts";
import { until } from "../support/until.ts";
import { installPeer } from "./install.ts";

const supervisor = join(import.meta.dirname, "../../src/editor/workspaceGraphs/supervisorMain.ts");
const source = join(import.meta.dirname, "../support/graphProject");

describe("A project's graphs under the platform's own command line", () => {
  let folder: string;
  let server: GraphServer;
  const told: string[] = [];

  before(installPeer);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "graph-project-"));
    await cp(source, folder, { recursive: true });
    await writeFile(join(folder, ".env"), "");
    await symlink(
      join(import.meta.dirname, "langgraph/node_modules"),
      join(folder, "node_modules"),
      "junction",
    );
    told.length = 0;
  });
  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const make = (readyMs: number): void => {
    const failed = (error: unknown): void => void told.push(String(error));
    const options = { folder, storage: join(folder, "storage"), supervisor, readyMs };
    server = new GraphServer(options, () => undefined, failed);
  };
  const start = async (port = 0): Promise<string> =>
    server.start(await findCommandLine(folder, "node"), port, new AbortController().signal);

  for (const [what, text] of [
    ["never ends to load", "await new Promise(() => setInterval(() => 0, 1000));"],
    ["ends its process", "process.exit(7);"],
  ] as const)
    it(`are given up at the deadline where a source ${what}, and leave no process`, async () => {
      await writeFile(join(folder, "graphs/chat.mts"), `${text}\nexport const graph = {};\n`);
      make(6_000);
      const starting = assert.rejects(start(), /not ready in 6 s/);
      const { pid } = await until("it starts", () => server.running);
      await starting;
      assert.equal(server.state.kind, "failed");
      await until("nothing of it is left", () => !isAlive(pid));
    });

  it("are started again when the process died that has them", async () => {
    make(60_000);
    const url = await start();
    const all = processesBelow(await listProcesses(), server.running!.pid);
    const graphs = all.findLast(({ command }) => command.includes("entrypoint.mjs"));
    process.kill(graphs?.pid ?? assert.fail("no process has the graphs"), "SIGKILL");
    await until("it is told", () => told.length > 0);
    assert.match(told.join(), /ended while they ran/);
    await until("they run again", () => server.state.kind === "running", 90_000);
    assert.deepEqual(server.state, { kind: "running", url, reloading: false });
    assert.equal((await fetch(`${url}/ok`)).status, 200);
  });

  it("take another port where theirs is taken", async () => {
    make(60_000);
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { readonly port: number };
    try {
      const url = await start(port);
      assert.notEqual(server.running!.port, port);
      assert.equal((await fetch(`${url}/ok`)).status, 200);
    } finally {
      other.close();
    }
  });
});
