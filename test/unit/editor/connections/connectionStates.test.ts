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
      states.note(connection, { url: `${url}/v1/x`, ms: 1, status, error }, 7);
      equal(seen(), expected);
    }
    equal(changes, 4);
    states.note(connection, { url: "https://control.test/v2", ms: 1, status: 200 }, 8);
    deepEqual([seen(), states.of(connection)?.at], ["reachable", 8]);
  });

  it("is not what one of its deployments answered, nor what another address did", () => {
    states.note(connection, { url: "https://deployment.test/ok", ms: 1, error: "timeout" }, 7);
    equal(seen(), undefined);
    states.note(connection, { url, ms: 1, status: 200 }, 7);
    equal(states.of({ ...connection, url: "https://moved.test" }), undefined);
    equal(states.of({ ...connection, auth: "bearer" }), undefined);
    equal(states.of({ ...connection, name: "Other" })?.state, "reachable");
  });

  it("is known of what runs here, too, of which the settings have no address", () => {
    for (const kind of ["localPlatform", "workspaceGraphs"] as const) {
      const setting = { id: kind, name: "Here", kind };
      states.note({ ...setting, url }, { url, ms: 1, status: 503 }, 7);
      equal(states.of(setting)?.state, "failing");
    }
  });

  it("is not known with another key, whatever is answered to what was asked with the old one", () => {
    states.note(connection, { url, ms: 1, status: 401 }, 10);
    states.forget("other", 20);
    equal(seen(), "refused");
    states.forget(connection.id, 20);
    equal(seen(), undefined);
    equal(changes, 2);
    states.note(connection, { url, ms: 15, status: 401 }, 30);
    equal(seen(), undefined);
    // Asked in the millisecond of the change.
    states.note(connection, { url, ms: 11, status: 200 }, 30);
    equal(seen(), "reachable");
  });
});
