import { deepEqual, equal } from "node:assert/strict";
import type { Connection } from "../../../../src/editor/connections/connection.ts";
import { Standings } from "../../../../src/editor/connections/standings.ts";

const url = "https://agents.test";
const connection: Connection = {
  ...{ id: "p", name: "Production", kind: "platform", url },
  controlPlaneUrl: "https://control.test",
};

describe("How a connection was seen last", () => {
  let changes = 0;
  let standings: Standings;
  const seen = (): string | undefined => standings.of(connection)?.standing;

  beforeEach(() => {
    changes = 0;
    standings = new Standings(() => (changes += 1));
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
      standings.note(connection, { url: `${url}/v1/x`, status, error }, 7);
      equal(seen(), expected);
    }
    equal(changes, 4);
    standings.note(connection, { url: "https://control.test/v2", status: 200 }, 8);
    deepEqual([seen(), standings.of(connection)?.at], ["reachable", 8]);
  });

  it("is not what one of its deployments answered, nor what another address did", () => {
    standings.note(connection, { url: "https://deployment.test/ok", error: "timeout" }, 7);
    equal(seen(), undefined);
    standings.note(connection, { url, status: 200 }, 7);
    equal(standings.of({ ...connection, url: "https://moved.test" }), undefined);
  });
});
