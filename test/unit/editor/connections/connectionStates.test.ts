import { deepEqual, equal } from "node:assert/strict";
import type { Connection } from "../../../../src/editor/connections/connection.ts";
import { ConnectionStates } from "../../../../src/editor/connections/connectionStates.ts";

const url = "https://agents.test";
const connection: Connection = {
  ...{ id: "p", name: "Production", kind: "platform", url },
  controlPlaneUrl: "https://control.test",
};

describe("How a connection was seen last", () => {
  let changes = 0;
  let states: ConnectionStates;
  const seen = (): string | undefined => states.of(connection)?.state;

  beforeEach(() => {
    changes = 0;
    states = new ConnectionStates(() => (changes += 1));
  });

  it("is what its own addresses answered", () => {
    const answers: (readonly [status: number | undefined, error: string | undefined, seen: string])[] = [
      [200, undefined, "reachable"],
      [404, undefined, "reachable"],
      [403, undefined, "reachable"],
      [401, undefined, "refused"],
      [503, undefined, "failing"],
      [undefined, "refused", "unreachable"],
      [undefined, "aborted", "unreachable"],
    ];
    equal(seen(), undefined);
    for (const [status, error, expected] of answers) {
      states.note(connection, { url: `${url}/v1/x`, status, error }, 7);
      equal(seen(), expected);
    }
    equal(changes, 4);
    states.note(connection, { url: "https://control.test/v2", status: 200 }, 8);
    deepEqual([seen(), states.of(connection)?.at], ["reachable", 8]);
  });

  it("is not what one of its deployments answered, nor what another address did", () => {
    states.note(connection, { url: "https://deployment.test/ok", error: "timeout" }, 7);
    equal(seen(), undefined);
    states.note(connection, { url, status: 200 }, 7);
    equal(states.of({ ...connection, url: "https://moved.test" }), undefined);
  });
});
