import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Test } from "mocha";
import { onRequest } from "../../../support/interface.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { agentServerRows } from "./agentServer.ts";
import { bulkExportRows } from "./bulkExports.ts";
import { controlPlaneRows } from "./controlPlane.ts";
import { feedbackRows } from "./feedback.ts";
import { issueWebhookRows } from "./issueWebhooks.ts";
import { managedAgentRows } from "./managedAgents.ts";
import { protocolRows } from "./protocol.ts";
import { toolServerRows } from "./toolServers.ts";

const interfaces = {
  "control plane": controlPlaneRows,
  "managed agents": managedAgentRows,
  "tool servers": toolServerRows,
  "agent server": agentServerRows,
  feedback: feedbackRows,
  "bulk exports": bulkExportRows,
  "issue webhooks": issueWebhookRows,
  "streaming protocol": protocolRows,
};

const sent = new Set<string>();
onRequest(({ method, path }) => sent.add(`${method} ${path}`));

/** At the end of all files, since each sends some; a run of a few of them proves nothing. */
after("each endpoint of the specification was sent", function () {
  const tests: Test[] = [];
  this.test?.parent?.eachTest((test) => void tests.push(test));
  if (tests.some(({ state }) => state === undefined) || !hasEveryFile(tests)) return;
  const requests = [...sent];
  const missing = Object.values(interfaces).flatMap(({ base, endpoints }) =>
    endpoints.filter((endpoint) => {
      const [method = "", path = ""] = endpoint.split(" ");
      const pattern = new RegExp(`^${method} ${unnamed(base + path).replaceAll("{}", "[^/]+")}$`);
      return !requests.some((request) => pattern.test(request));
    }),
  );
  assert.deepEqual(missing, []);
});

describe("every row of the specification", () => {
  const titles = new Set([
    ...titlesIn("unit/emulator/**/*.test.ts", ""),
    ...titlesIn("peers/*.test.ts", "peers/"),
  ]);

  for (const [name, { rules }] of Object.entries(interfaces)) {
    it(`that is a rule of the ${name} has a test that exists`, () => {
      const missing = Object.entries(rules).flatMap(([row, tests]) =>
        tests.length === 0
          ? [row]
          : tests.filter((test) => !titles.has(test)).map((test) => `${row} → ${test}`),
      );
      assert.deepEqual(missing, []);
    });
  }

  it("with a method and a path is served, and there are 28 under the managed agents", async () => {
    const platform = await LocalPlatform.start();
    const { body } = await platform.send("GET", `${platform.ready.localUrl}/openapi.json`);
    await platform.remove();
    const served = new Set(
      Object.entries(body.paths!).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => unnamed(`${method.toUpperCase()} ${path}`)),
      ),
    );
    const missing = Object.values(interfaces).flatMap(({ base, endpoints }) =>
      endpoints.map((row) => unnamed(row.replace(" ", ` ${base}`))).filter((row) => !served.has(row)),
    );
    assert.deepEqual(missing, []);
    const managed = [managedAgentRows, toolServerRows].flatMap(({ endpoints }) => endpoints);
    assert.equal(managed.length, 28);
  });
});

/** The titles of the tests in some files as they are written, each with the name of its file. */
function titlesIn(files: string, prefix: string): string[] {
  const tests = join(import.meta.dirname, "../../..");
  return globSync(files, { cwd: tests }).flatMap((file) => {
    const source = readFileSync(join(tests, file), "utf8");
    const written = source.matchAll(/\bit\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs);
    return [...written].map(([, , title]) => `${prefix}${basename(file, ".test.ts")}: ${title ?? ""}`);
  });
}

function hasEveryFile(tests: readonly Test[]): boolean {
  const files = new Set(tests.map(({ file }) => file));
  return globSync("**/*.test.ts", { cwd: join(import.meta.dirname, "..") }).every((file) =>
    files.has(join(import.meta.dirname, "..", file)),
  );
}

/** A path without the names of its parameters. */
function unnamed(path: string): string {
  return path.replaceAll(/\{[^}]*\}|:\w+/g, "{}");
}
