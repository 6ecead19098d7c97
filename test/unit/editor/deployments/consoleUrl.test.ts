import assert from "node:assert/strict";
import { consoleUrl, deploymentPage } from "../../../../src/editor/deployments/consoleUrl.ts";

const platform = { id: "p", name: "P", kind: "platform" } as const;

describe("The web console's address", () => {
  for (const [url, expected] of [
    ["https://api.example.com", "https://example.com"],
    ["https://eu.api.example.com", "https://eu.example.com"],
    ["https://platform.example.com/prefix", "https://platform.example.com"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["https://api.test", "https://api.test"],
  ] as const) {
    it(`of ${url} is ${expected}`, () => assert.equal(consoleUrl({ url }), expected));
  }

  it("is the one of the settings when there is one", () => {
    const url = "https://api.example.com";
    assert.equal(consoleUrl({ url, consoleUrl: "https://console.test/x" }), "https://console.test/x");
  });

  it("leads to a deployment in its workspace", () => {
    const connection = { ...platform, url: "https://api.example.com", workspaceId: "w" };
    assert.equal(deploymentPage(connection, { id: "d" }), "https://example.com/o/w/host/deployments/d");
    const page = deploymentPage(connection, { id: "a/b", tenant_id: "t" });
    assert.equal(page, "https://example.com/o/t/host/deployments/a%2Fb");
  });

  it("of the Local Platform is its own page", () => {
    const local = { ...platform, kind: "localPlatform", url: "http://127.0.0.1:4000" } as const;
    assert.equal(deploymentPage(local, { id: "d" }), "http://127.0.0.1:4000");
  });
});
