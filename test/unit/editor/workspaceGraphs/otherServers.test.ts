import { strict as assert } from "node:assert";
import { portOf } from "../../../../src/editor/workspaceGraphs/otherServers.ts";

describe("A server that was started in a terminal", () => {
  it("is where its command line says, on loopback alone", () => {
    const cli = "node /p/node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs dev";
    const ports: Readonly<Record<string, number | undefined>> = {
      [cli]: 2024,
      [`${cli} --no-browser --port 4100`]: 4100,
      [`${cli} -p 4100 --host localhost `]: 4100,
      "/p/.venv/bin/langgraph dev --port=4100 --host 0.0.0.0": 4100,
      [`${cli} --port 4100 --host 192.0.2.7`]: undefined,
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(ports).map((command) => [command, portOf({ command })])),
      ports,
    );
  });
});
