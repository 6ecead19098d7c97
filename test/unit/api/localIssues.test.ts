import assert from "node:assert/strict";
import { Http } from "../../../src/api/http.ts";
import { LocalIssues } from "../../../src/api/localIssues.ts";
import { serve } from "../../support/testServer.ts";

describe("The Local Platform's own issues and webhooks", () => {
  it("are asked for and ordered at their places, each with its body", async () => {
    await using server = await serve(({ method }) => ({
      ...(method === "DELETE" ? { status: 204 } : { body: '{"id":"i","signing_secret":"whsec_new"}' }),
    }));
    const issues = new LocalIssues(new Http({ baseUrl: server.url }));
    const order = {
      url: "http://127.0.0.1:1/webhooks/a",
      severity_threshold: 3,
      event_types: ["issue.created"],
    };
    const issue = { name: "Slow", description: "", severity: 1, traces: [] };
    await issues.webhooks();
    assert.equal((await issues.subscribe(order)).signing_secret, "whsec_new");
    await issues.change("a/b", { url: "http://127.0.0.1:2" });
    await issues.unsubscribe("a b");
    assert.equal(await issues.rollSecret("c"), "whsec_new");
    assert.deepEqual((await issues.report(issue)).id, "i");
    await issues.reportFailure({ error_message: "too slow" });
    assert.deepEqual(
      server.asked.map(({ method, url, body }) => [
        method,
        url,
        body === "" ? undefined : (JSON.parse(body) as unknown),
      ]),
      [
        ["GET", "/_local/webhooks", undefined],
        ["POST", "/_local/webhooks", order],
        ["PATCH", "/_local/webhooks/a%2Fb", { url: "http://127.0.0.1:2" }],
        ["DELETE", "/_local/webhooks/a%20b", undefined],
        ["POST", "/_local/webhooks/c/roll-secret", undefined],
        ["POST", "/_local/issues", issue],
        ["POST", "/_local/agent-run-failures", { error_message: "too slow" }],
      ],
    );
  });

  it("are given up when the caller does", async () => {
    await using server = await serve(() => () => undefined);
    const issues = new LocalIssues(new Http({ baseUrl: server.url }));
    const signal = AbortSignal.timeout(20);
    const calls = [
      issues.webhooks({ signal }),
      issues.subscribe({ url: "", severity_threshold: 0, event_types: [] }, { signal }),
      issues.change("a", {}, { signal }),
      issues.unsubscribe("a", { signal }),
      issues.rollSecret("a", { signal }),
      issues.report({ name: "", description: "", severity: 0, traces: [] }, { signal }),
      issues.reportFailure({}, { signal }),
    ];
    for (const call of calls) await assert.rejects(call);
  });
});
