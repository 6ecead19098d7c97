import { deepEqual, equal } from "node:assert/strict";

import { requestHeaders } from "../../../../src/editor/threads/inputs/requestHeaders.ts";

const connection = { id: "1", name: "Production", kind: "agentServer", url: "https://agents.test" } as const;

describe("The headers of a copied run", () => {
  const headersOf = (more: object, key?: string) => {
    const setting = { ...connection, ...more };
    const connections = { resolve: () => setting };
    return requestHeaders(
      { connections, apiKeys: { read: () => Promise.resolve(key) } },
      "1",
      connection.url,
    );
  };

  it("name the key where there is one, as the connection sends it", async () => {
    deepEqual(await headersOf({}), {});
    deepEqual(await headersOf({}, "secret-1"), { "x-api-key": [{ env: "API_KEY" }] });
    const bearer = [{ text: "Bearer " }, { env: "API_KEY" }];
    deepEqual(await headersOf({ auth: "bearer" }, "secret-1"), { authorization: bearer });
  });

  it("tell no credential that stands in the settings as it is", async () => {
    const headers = {
      "X-Team": "blue",
      "X-Auth-Token": "a1b2c3d4e5",
      Cookie: "session=a1b2c3d4e5",
      Authorization: "Bearer a1b2c3d4e5",
      "X-Api-Secret": "${env:TEAM_SECRET}",
    };
    const shown = await headersOf({ headers });
    equal(JSON.stringify(shown).includes("a1b2c3d4e5"), false, JSON.stringify(shown));
    deepEqual(shown["X-Team"], [{ text: "blue" }]);
    deepEqual(shown["X-Auth-Token"], [{ env: "X_AUTH_TOKEN" }]);
    deepEqual(shown["X-Api-Secret"], [{ env: "TEAM_SECRET" }]);
  });
});
