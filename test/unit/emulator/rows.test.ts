import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { LocalPlatform } from "./localPlatform.ts";
import { agentServerRows } from "./rows/agentServer.ts";
import { bulkExportRows } from "./rows/bulkExports.ts";
import { controlPlaneRows } from "./rows/controlPlane.ts";
import { feedbackRows } from "./rows/feedback.ts";
import { issueWebhookRows } from "./rows/issueWebhooks.ts";
import { managedAgentRows } from "./rows/managedAgents.ts";
import { protocolRows } from "./rows/protocol.ts";
import { toolServerRows } from "./rows/toolServers.ts";

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

describe("every row of the specification", () => {
  const titles = new Set([
    ...titlesIn(import.meta.dirname, ""),
    ...titlesIn(join(import.meta.dirname, "../../peers"), "peers/"),
  ]);

  for (const [name, { endpoints, rules }] of Object.entries(interfaces)) {
    it(`of the ${name} has a test that exists`, () => {
      const missing = Object.entries({ ...endpoints, ...rules }).flatMap(([row, tests]) =>
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
      Object.keys(endpoints)
        .map((row) => unnamed(row.replace(" ", ` ${base}`)))
        .filter((row) => !served.has(row)),
    );
    assert.deepEqual(missing, []);
    const managed = [managedAgentRows, toolServerRows].flatMap(({ endpoints }) => Object.keys(endpoints));
    assert.equal(managed.length, 28);
  });
});

/** The titles of a folder's tests as they are written, each with the name of its file. */
function titlesIn(folder: string, prefix: string): string[] {
  return globSync("*.test.ts", { cwd: folder }).flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const written = source.matchAll(/\bit\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs);
    return [...written].map(([, , title]) => `${prefix}${basename(file, ".test.ts")}: ${title ?? ""}`);
  });
}

/** A path without the names of its parameters. */
function unnamed(path: string): string {
  return path.replaceAll(/\{[^}]*\}|:\w+/g, "{}");
}
