import { strict as assert } from "node:assert";
import {
  ConnectionError,
  headerProblem,
  meantAddress,
  originsOf,
  readConnections,
  resolveHeaders,
  urlProblem,
} from "../../../../src/editor/connections/connectionSettings.ts";

const good = { id: "a", name: "Mine", kind: "agentServer", url: "http://localhost:2024/" };

describe("The connections of the settings", () => {
  it("are read as they were written, without trailing slashes", () => {
    const written = {
      id: "p",
      name: "Hosted",
      kind: "platform",
      url: "https://api.example.com//",
      controlPlaneUrl: "https://control.example.com/api/",
      agentServers: [{ name: "Support", url: "https://support.example.com/" }],
      workspaceId: "w",
      dialect: "langsmith",
      headers: { "X-Team": "ops" },
      auth: "bearer",
      protected: "click",
      color: "purple",
      consoleUrl: "https://console.example.com",
    };
    assert.deepEqual(
      readConnections([written]).map(({ setting }) => setting),
      [
        {
          ...written,
          url: "https://api.example.com",
          controlPlaneUrl: "https://control.example.com/api",
          agentServers: [{ name: "Support", url: "https://support.example.com" }],
        },
      ],
    );
  });

  it("stay protected when the protection was mistyped", () => {
    const protection = (value: unknown) =>
      readConnections([{ ...good, protected: value }])[0]?.setting.protected;
    assert.deepEqual([true, "true", 1, "yes"].map(protection), ["word", "word", "word", "word"]);
    assert.deepEqual([false, undefined].map(protection), [undefined, undefined]);
    assert.deepEqual(["word", "click", "nothing"].map(protection), ["word", "click", "nothing"]);
  });

  it("may be typed without http:// where they are on this machine, and nowhere else", () => {
    for (const here of ["localhost:2024", "127.0.0.1", "[::1]:80/x", "app.localhost:3000"])
      assert.equal(meantAddress(` ${here}`), `http://${here}`);
    for (const elsewhere of [
      "localhost.evil.test",
      "https://localhost",
      "agents.test:80",
      "127.0.0.1.evil.test",
    ])
      assert.equal(meantAddress(elsewhere), elsewhere);
  });

  it("have no color that no theme has, and a name that is what it looks like", () => {
    const name = "Pro\u202eduction\n\u0007 one\u2066";
    const [entry] = readConnections([{ ...good, name, color: "mauve" }]);
    assert.equal(entry?.setting.color, undefined);
    assert.equal(entry?.setting.name, "Production one");
  });

  const broken: readonly [what: string, entry: unknown, reason: string, words: RegExp][] = [
    [
      "an entry that is no object",
      "http://localhost",
      "invalidEntry",
      /Connection 2 in the settings has no ID/,
    ],
    ["an entry without an id", { ...good, id: " " }, "invalidEntry", /has no ID/],
    ["an unknown kind", { ...good, id: "b", kind: "mainframe" }, "unknownKind", /“mainframe”/],
    [
      "an address that is none",
      { ...good, id: "b", url: "localhost:2024" },
      "invalidUrl",
      /http:\/\/ or https:\/\//,
    ],
    ["no address", { id: "b", name: "B", kind: "agentServer" }, "invalidUrl", /Enter an address/],
    [
      "a password in the address",
      { ...good, id: "b", url: "https://me:secret@x.example" },
      "invalidUrl",
      /password/,
    ],
    [
      "an agent server without address",
      { ...good, id: "b", kind: "platform", agentServers: [{ name: "S" }] },
      "invalidUrl",
      /Enter an address/,
    ],
    ["the id of another", good, "duplicateId", /Two connections/],
    [
      "a key in the headers",
      { ...good, id: "b", headers: { "X-Api-Key": "k" } },
      "forbiddenHeader",
      /Set API Key/,
    ],
    [
      "a bearer token in the headers",
      { ...good, id: "b", headers: { Authorization: "Bearer t" } },
      "forbiddenHeader",
      /\$\{env:NAME\}/,
    ],
  ];
  for (const [what, entry, reason, words] of broken) {
    it(`stay listed with ${what}, with a reason, beside the others`, () => {
      const [first, second, third] = readConnections([good, entry, { ...good, id: "z" }]);
      assert.equal(first?.problem, undefined);
      assert.equal(third?.problem, undefined);
      assert(second?.problem instanceof ConnectionError);
      assert.equal(second.problem.reason, reason);
      assert.match(second.problem.message, words);
      assert.notEqual(second.problem.remedy, "");
      assert.equal(new Set([first?.setting.id, second.setting.id, third?.setting.id]).size, 3);
      assert.deepEqual(second.raw, entry);
    });
  }

  it("are none when the setting is no list", () => {
    assert.deepEqual(readConnections({ a: good }), []);
    assert.deepEqual(readConnections(undefined), []);
  });

  it("need no address for the Local Platform", () => {
    assert.equal(
      readConnections([{ id: "local", name: "Here", kind: "localPlatform" }])[0]?.problem,
      undefined,
    );
  });

  it("have an origin for each address, once", () => {
    const agentServers = [
      { name: "one", url: "https://api.example.com/one" },
      { name: "two", url: "https://two.example.com:8443/x" },
      { name: "bad", url: "nonsense" },
    ];
    assert.deepEqual(
      originsOf({ id: "p", name: "P", kind: "platform", url: "https://api.example.com", agentServers }),
      ["https://api.example.com", "https://two.example.com:8443"],
    );
  });
});

describe("An address", () => {
  for (const [address, words] of [
    ["", /Enter an address/],
    ["example.com", /not an address/],
    ["ftp://example.com", /http/],
    ["https://example.com/?key=1", /from \? or #/],
    ["https://example.com/#top", /from \? or #/],
  ] as const) {
    it(`${address === "" ? "that is empty" : address} is refused in words`, () =>
      assert.match(urlProblem(address) ?? "", words));
  }

  it("may have a port and a path", () =>
    assert.equal(urlProblem(" https://example.com:8123/agents/ "), undefined));
});

describe("An extra header", () => {
  for (const [name, value, words] of [
    ["x-api-key", "${env:KEY}", /Set API Key/],
    ["Cookie", "session=1", /carries a secret/],
    ["X-Auth-Token", "abc", /carries a secret/],
    ["X-Tenant-Id", "w", /workspace/],
    ["Content-Length", "3", /set by the request/],
    ["bad name", "x", /not a header name/],
    ["X-Team", "a\r\nX-Api-Key: b", /line break/],
  ] as const) {
    it(`${name} is refused in words`, () => assert.match(headerProblem(name, value) ?? "", words));
  }

  it("may carry a secret when an environment variable holds it", () => {
    assert.equal(headerProblem("Authorization", "Bearer ${env:GATEWAY_TOKEN}"), undefined);
  });

  it("takes the variable's value at the time of the request", () => {
    assert.deepEqual(
      resolveHeaders({ "X-A": "${env:ONE}-${env:TWO}", "X-B": "plain" }, { ONE: "1", TWO: "2" }),
      {
        "X-A": "1-2",
        "X-B": "plain",
      },
    );
  });

  it("whose variable is not set names it", () => {
    assert.throws(() => resolveHeaders({ "X-A": "${env:MISSING}" }, {}), {
      name: "ConnectionError",
      message: /MISSING/,
    });
  });
});
