import { deepEqual, equal, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { RunCall } from "../../src/run/code/call.ts";
import { curlCode } from "../../src/run/code/curl.ts";
import { pythonCode } from "../../src/run/code/python.ts";
import { typescriptCode } from "../../src/run/code/typescript.ts";
import { bodyAgain } from "../../src/run/session/runBody.ts";
import { agentServerPeer, modes, read, say, texts } from "./agentServerPeer.ts";

const run = promisify(execFile);
const hostile = `it's "so" $(touch owned) \`id\` \\ \n'; exit 1; '\u2028 grüße 你好 🎉 \${HOME} !!`;

describe("A run of a real agent server, copied as code", () => {
  let api: AgentServer;
  let call: RunCall;
  let folder: string;

  before(async () => {
    const peer = await agentServerPeer();
    ({ api } = peer);
    folder = await mkdtemp(join(tmpdir(), "run-code-"));
    const { thread_id: threadId } = await api.threads.create();
    const stream = await api.runs.stream(threadId, {
      ...{ assistant_id: "chat", input: say(hostile), stream_mode: modes, stream_subgraphs: true },
      ...{ config: { configurable: { "it's": "$me" }, recursion_limit: 9 }, metadata: { ticket: "$(1)" } },
    });
    await read(stream);
    const body = bodyAgain(await api.runs.get(threadId, stream.runId ?? ""));
    ok(body !== undefined, "the server does not tell the run's input");
    call = { url: peer.url, threadId, headers: { "x-api-key": [{ env: "API_KEY" }] }, body };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("has all that it was sent with", () => {
    deepEqual(call.body, {
      ...{ assistant_id: call.body.assistant_id, input: say(hostile) },
      ...{ stream_mode: modes, stream_subgraphs: true, multitask_strategy: call.body.multitask_strategy },
      ...{ config: { configurable: { "it's": "$me" }, recursion_limit: 9 }, metadata: { ticket: "$(1)" } },
    });
  });

  for (const [name, execute] of [
    ["cURL", (code: string) => run("bash", ["-c", code], { env: environment(), cwd: folder })],
    ["TypeScript", asModule],
  ] as const)
    it(`does the same once more as ${name}`, async () => {
      const before = await runsNow();
      const { stdout } = await execute((name === "cURL" ? curlCode : typescriptCode)(call));
      ok(stdout.includes("messages"), stdout);
      const [newest, ...others] = await runsNow();
      equal(others.length, before.length);
      equal(newest?.status, "success");
      deepEqual(bodyAgain(newest), call.body);
      const said = texts(await api.threads.state(call.threadId));
      equal(said.filter((text) => text === hostile).length, before.length + 1);
    });

  it("compiles as Python, where there is one", async () => {
    const file = join(folder, "run.py");
    await writeFile(file, pythonCode(call));
    const { stderr } = await run("python3", ["-m", "py_compile", file]).catch((error: unknown) => {
      // That it is made of nothing but ours and of texts, test/unit/run/code holds without a Python.
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return { stderr: "" };
      throw error;
    });
    equal(stderr, "");
  });

  async function runsNow() {
    return api.runs.list(call.threadId);
  }

  /** Beside the installed SDK, so that it is found. */
  async function asModule(code: string): Promise<{ readonly stdout: string }> {
    const peer = createRequire(new URL("langgraph/package.json", import.meta.url));
    const url = JSON.stringify(pathToFileURL(peer.resolve("@langchain/langgraph-sdk")).href);
    const file = join(folder, "run.ts");
    await writeFile(file, code.replace('"@langchain/langgraph-sdk"', url));
    return run(process.execPath, [file], { env: environment(), cwd: folder });
  }
});

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, API_KEY: "unused", NODE_NO_WARNINGS: "1" };
}
