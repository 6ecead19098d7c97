import { deepEqual, equal } from "node:assert/strict";
import {
  parseHeaders,
  parseServers,
  writeHeaders,
  writeServers,
} from "../../../../src/editor/commands/connections/connectionText.ts";

describe("A connection as it is typed", () => {
  it("has servers with and without a name, by addresses as they are meant", () => {
    deepEqual(parseServers(" Mine = https://a.example/ , localhost:2024, "), [
      { name: "Mine", url: "https://a.example" },
      { name: "http://localhost:2024", url: "http://localhost:2024" },
    ]);
    const tenant = "https://b.example/agents?tenant=1";
    deepEqual(parseServers(`${tenant}, Theirs = ${tenant}`), [
      { name: tenant, url: tenant },
      { name: "Theirs", url: tenant },
    ]);
    deepEqual(parseServers(""), []);
  });

  it("has headers, whose values may hold colons", () => {
    deepEqual(parseHeaders("X-Team: agents ; X-Proxy:https://a.example:8080;; X-Empty:"), {
      ...{ "X-Team": "agents", "X-Proxy": "https://a.example:8080", "X-Empty": "" },
    });
    deepEqual(parseHeaders(" "), {});
  });

  it("is written so that it is read as the same", () => {
    const servers = [
      { name: "Mine", url: "https://a.example" },
      { name: "https://b.example", url: "https://b.example" },
    ];
    equal(writeServers(servers), "Mine = https://a.example, https://b.example");
    deepEqual(parseServers(writeServers(servers)), servers);
    const headers = { "X-Team": "agents", "X-Proxy": "https://a.example:8080" };
    equal(writeHeaders(headers), "X-Team: agents; X-Proxy: https://a.example:8080");
    deepEqual(parseHeaders(writeHeaders(headers)), headers);
  });
});
