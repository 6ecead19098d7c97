import assert from "node:assert/strict";
import { connect } from "node:net";
import { list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";

describe("the Local Platform's answers to bad requests", () => {
  let platform: LocalPlatform;
  let thread: string;

  before(async () => {
    platform = await LocalPlatform.start();
    thread = await platform.thread();
  });
  after(() => platform.remove());

  const cases: [string, string, string, unknown, number][] = [
    ["malformed JSON", "POST", "/threads", "{", 422],
    ["a body that is no object", "POST", "/threads", "[]", 422],
    ["a bare word", "POST", "/threads", "hello", 422],
    ["a NUL byte in JSON", "POST", "/threads", '{"metadata":{"a":"\u0000"}}', 422],
    ["arrays nested 100,000 deep", "POST", "/threads", "[".repeat(100_000) + "]".repeat(100_000), 422],
    [
      "objects nested 5,000 deep",
      "POST",
      "/threads",
      `{"metadata":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`,
      422,
    ],
    ["a thread id that is no UUID", "POST", "/threads", { thread_id: "mine" }, 422],
    ["metadata that is a list", "POST", "/threads", { metadata: [] }, 422],
    ["an unknown if_exists", "POST", "/threads", { if_exists: "explode" }, 422],
    ["a path id that is no UUID", "GET", "/threads/mine", undefined, 422],
    ["a path id with SQL in it", "GET", "/threads/'%20OR%201=1", undefined, 422],
    ["an unknown thread", "GET", `/threads/${crypto.randomUUID()}`, undefined, 404],
    ["an unknown route", "GET", "/nothing/here", undefined, 404],
    ["a wrong method", "PUT", "/threads", {}, 404],
    ["a limit of 0", "POST", "/threads/search", { limit: 0 }, 422],
    ["a limit above the maximum", "POST", "/threads/search", { limit: 1001 }, 422],
    ["a negative offset", "POST", "/threads/search", { offset: -1 }, 422],
    ["a limit that is a text", "POST", "/threads/search", { limit: "ten" }, 422],
    ["an unknown status", "POST", "/threads/search", { status: "sleeping" }, 422],
    ["an unknown sort key", "POST", "/threads/search", { sort_by: "metadata; DROP TABLE threads" }, 422],
    ["a run without an assistant", "POST", "THREAD/runs", { input: say("x") }, 422],
    ["a run of an unknown assistant", "POST", "THREAD/runs", { assistant_id: "nobody" }, 404],
    [
      "an unknown stream mode",
      "POST",
      "THREAD/runs/stream",
      { assistant_id: "echo", stream_mode: "all" },
      422,
    ],
    [
      "an unknown strategy",
      "POST",
      "THREAD/runs",
      { assistant_id: "echo", multitask_strategy: "fight" },
      422,
    ],
    [
      "feedback keys that are a text",
      "POST",
      "THREAD/runs",
      { assistant_id: "echo", feedback_keys: "liked" },
      422,
    ],
    [
      "a webhook that is no address",
      "POST",
      "THREAD/runs",
      { assistant_id: "echo", webhook: "file:///etc" },
      422,
    ],
    [
      "a checkpoint that does not exist",
      "POST",
      "THREAD/runs",
      { assistant_id: "echo", checkpoint_id: "x" },
      404,
    ],
    [
      "a run in an unknown thread",
      "POST",
      `/threads/${crypto.randomUUID()}/runs`,
      { assistant_id: "echo" },
      404,
    ],
    ["a run id that is no UUID", "GET", "THREAD/runs/mine", undefined, 422],
    ["an unknown run", "GET", `THREAD/runs/${crypto.randomUUID()}`, undefined, 404],
    ["the stream of an unknown run", "GET", `THREAD/runs/${crypto.randomUUID()}/stream`, undefined, 404],
    ["a join of an unknown run", "GET", `THREAD/runs/${crypto.randomUUID()}/join`, undefined, 404],
    ["a cancel of an unknown run", "POST", `THREAD/runs/${crypto.randomUUID()}/cancel`, undefined, 404],
    ["an unknown run status", "GET", "THREAD/runs?status=odd", undefined, 422],
    ["an unknown assistant", "GET", "/assistants/nobody", undefined, 404],
    ["a history limit of 0", "POST", "THREAD/history", { limit: 0 }, 422],
    ["a broken percent escape", "GET", "/threads/%E0%A4%A", undefined, 422],
    ["another deployment", "GET", "DEPLOYMENTS/nope/ok", undefined, 404],
  ];
  for (const [name, method, path, body, status] of cases) {
    it(`are ${status} with a detail for ${name}`, async () => {
      const full = path
        .replace("THREAD", `/threads/${thread}`)
        .replace("DEPLOYMENTS", `${platform.ready.baseUrl}/deployments`);
      const answer = await platform.send(method, full, body);
      assert.equal(answer.status, status, answer.text);
      if (status === 404) assert.equal(typeof answer.body.detail, "string", answer.text);
      if (status === 422) {
        for (const issue of list(answer.body.detail)) {
          assert.ok(["body", "path", "query"].includes(text(list(issue.loc)[0])), answer.text);
          assert.equal(typeof issue.msg, "string");
          assert.equal(typeof issue.type, "string");
        }
      }
      assert.equal((await platform.send("GET", "/ok")).status, 200);
    });
  }

  it("name the place and the input of a wrong field", async () => {
    const { body } = await platform.send("POST", "/threads/search", { limit: "ten" });
    const [issue] = list(body.detail);
    assert.deepEqual(issue?.loc, ["body", "limit"]);
    assert.equal(issue.input, "ten");
    const missing = await platform.send("POST", `/threads/${thread}/runs`, {});
    assert.equal(list(missing.body.detail)[0]?.type, "missing");
  });

  it("tell where a body stops being JSON, and quote nothing of it", async () => {
    for (const [sent, where] of [
      ["sk-secret", ""],
      ['{"token": sk-secret}', ""],
      ['{"api_key": "sk-secret", "b" 1}', " at position 29 (line 1 column 30)"],
    ] as const) {
      const { body, text: whole } = await platform.send("POST", "/threads", sent);
      assert.deepEqual(list(body.detail)[0], {
        loc: ["body"],
        msg: `JSON decode error${where}`,
        type: "json_invalid",
      });
      assert.doesNotMatch(whole, /secret/);
    }
  });

  it("are 413 for a body above 10 MB, announced or not", async () => {
    const big = JSON.stringify({ metadata: { text: "x".repeat(10 * 1024 * 1024) } });
    assert.equal((await platform.send("POST", "/threads", big)).status, 413);
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let i = 0; i < 11; i++) controller.enqueue(new Uint8Array(1024 * 1024));
        controller.close();
      },
    });
    const chunked = await fetch(`${platform.ready.deploymentUrl}/threads`, {
      method: "POST",
      headers: { "x-api-key": platform.ready.apiKey },
      body: stream,
      duplex: "half",
    });
    assert.equal(chunked.status, 413);
  });

  const inputs: [string, string, unknown, RegExp][] = [
    ["messages that are a number", "echo", { messages: 5 }, /messages/],
    ["a message without a role", "echo", { messages: [{ content: "x" }] }, /`type` or a `role`/],
    ["seconds that are a text", "slow", { seconds: "abc" }, /input\.seconds/],
    ["half an event", "flood", { events: 0.5 }, /input\.events/],
    ["a negative number of events", "flood", { events: -1 }, /input\.events/],
  ];
  for (const [name, assistant_id, input, message] of inputs) {
    it(`are a failed run for ${name}`, async () => {
      const seen = await platform.stream(await platform.thread(), { assistant_id, input });
      assert.equal(seen.at(-1)?.event, "error");
      assert.match(text(seen.at(-1)?.data.message), message);
    });
  }

  it("are a failed run for a node to go to that the graph has not, whatever its name", async () => {
    for (const goto of ["nowhere", "constructor", "__proto__"]) {
      const own = await platform.thread();
      const seen = await platform.stream(own, { assistant_id: "echo", command: { goto } });
      assert.match(text(seen.at(-1)?.data.message), new RegExp(`no node ${goto}`));
      const next = await platform.stream(own, { assistant_id: "echo", input: say("still here?") });
      assert.notEqual(next.at(-1)?.event, "error");
    }
  });

  it("are 401 without a key and 403 with a wrong one, everywhere but at /ok", async () => {
    const { baseUrl, deploymentUrl, localUrl } = platform.ready;
    const paths: [string, string][] = [
      ["POST", `${deploymentUrl}/threads`],
      ["GET", `${deploymentUrl}/info`],
      ["POST", `${deploymentUrl}/assistants/search`],
      ["POST", `${deploymentUrl}/runs/wait`],
      ["POST", `${baseUrl}/api/v1/feedback/tokens`],
      ["GET", `${baseUrl}/api/v1/feedback`],
      ["POST", `${localUrl}/faults`],
      ["DELETE", `${localUrl}/faults`],
    ];
    for (const [method, path] of paths) {
      const missing = await fetch(path, { method });
      assert.equal(missing.status, 401, path);
      assert.equal(((await missing.json()) as { error: string }).error, "Unauthorized");
      const wrong = await platform.send(method, path, undefined, { "x-api-key": "wrong" });
      assert.equal(wrong.status, 403, path);
      assert.equal(wrong.body.error, "Forbidden");
      const elsewhere = await platform.send(method, path, undefined, { "x-tenant-id": crypto.randomUUID() });
      assert.equal(elsewhere.status, 403, path);
    }
    assert.equal((await fetch(`${deploymentUrl}/ok`)).status, 200);
  });

  it("are none for clients that go in the middle of a body, which is no failure of the platform's", async () => {
    const { port } = new URL(platform.ready.baseUrl);
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (...parts: unknown[]) => logged.push(parts);
    const sockets = Array.from({ length: 50 }, () => connect(Number(port), "127.0.0.1"));
    const head = ["POST /v1/managed/agents HTTP/1.1", "host: x", `x-api-key: ${platform.ready.apiKey}`];
    const part = [...head, "content-length: 1000", "", '{"name":'].join("\r\n");
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write(part, sent))));
    assert.equal((await platform.send("GET", "/info")).status, 200);
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve).destroy())),
    );
    assert.equal((await platform.send("GET", "/info")).status, 200);
    console.error = error;
    assert.deepEqual(logged, []);
  });

  it("are an answer or an end, never a crash, for what is not HTTP", async () => {
    const port = Number(new URL(platform.ready.baseUrl).port);
    for (const bytes of [
      "\u0016\u0003\u0001 not http",
      "GET / HTTP/9.9\r\n\r\n",
      "POST /x HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
        socket.resume();
        socket.on("error", () => undefined);
        socket.on("close", () => resolve());
      });
    }
    assert.equal((await platform.send("GET", "/ok")).status, 200);
  });
});
