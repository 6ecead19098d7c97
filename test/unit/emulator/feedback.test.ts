import assert from "node:assert/strict";
import { list, LocalPlatform, say, text } from "../../support/localPlatform.ts";
import type { Shape } from "../../support/localPlatform.ts";

describe("feedback on the Local Platform", () => {
  let platform: LocalPlatform;
  let tokens: string;

  before(async () => {
    platform = await LocalPlatform.start();
    tokens = `${platform.ready.baseUrl}/api/v1/feedback/tokens`;
  });
  after(() => platform.remove());

  const open = async (
    method: string,
    url: string,
    body?: unknown,
  ): Promise<{ status: number; body: Shape }> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, ...init });
    return { status: response.status, body: (await response.json()) as Shape };
  };
  const given = async (run: string): Promise<Shape[]> =>
    list((await platform.send("GET", `${platform.ready.baseUrl}/api/v1/feedback?run=${run}`)).body);
  const finishedRun = async (): Promise<{ thread: string; run: string; urls: Shape }> => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "echo",
      input: say("x"),
      feedback_keys: ["liked", "disliked"],
    });
    assert.equal(seen.at(-1)?.event, "feedback");
    return { thread, run: text(seen[0]?.data.run_id), urls: seen.at(-1)!.data };
  };

  it("is invited by the last event of a stream: one address per key", async () => {
    const { urls, run } = await finishedRun();
    assert.deepEqual(Object.keys(urls), ["liked", "disliked"]);
    assert.match(text(urls.liked), new RegExp(`^${tokens}/[0-9a-f-]{36}$`));
    const listed = list((await platform.send("GET", `${tokens}?run_id=${run}`)).body);
    assert.deepEqual(
      listed.map(({ feedback_key, url }) => [feedback_key, url]),
      Object.entries(urls),
    );
  });

  it("is not invited when a run fails", async () => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "faulty",
      input: say("x"),
      feedback_keys: ["liked"],
    });
    assert.equal(seen.at(-1)?.event, "error");
  });

  it("is given by POST without a key, with every field", async () => {
    const { urls, run } = await finishedRun();
    const body = {
      score: 1,
      value: 0.5,
      comment: "👍 good",
      correction: { better: "x" },
      metadata: { from: "test" },
    };
    assert.equal((await open("POST", text(urls.liked), body)).status, 200);
    const [stored] = await given(run);
    assert.deepEqual(pick(stored, Object.keys(body)), body);
    assert.equal(stored?.key, "liked");
    assert.equal(stored.run_id, run);
  });

  it("is given by GET with the correction as JSON", async () => {
    const { urls, run } = await finishedRun();
    const query = new URLSearchParams({ score: "-1", value: "0", comment: "a & b", correction: '{"a":1}' });
    assert.equal((await open("GET", `${text(urls.disliked)}?${query.toString()}`)).status, 200);
    const [stored] = await given(run);
    const expected = {
      key: "disliked",
      score: -1,
      value: 0,
      comment: "a & b",
      correction: { a: 1 },
      metadata: null,
    };
    assert.deepEqual(pick(stored, Object.keys(expected)), expected);
  });

  it("may leave fields out or null, and be given again", async () => {
    const { urls, run } = await finishedRun();
    assert.equal((await open("POST", text(urls.liked), { score: null, comment: null })).status, 200);
    assert.equal((await open("POST", text(urls.liked), {})).status, 200);
    assert.equal((await given(run)).length, 2);
  });

  const refused: [string, unknown, (string | number)[]][] = [
    ["a score that is a text", { score: "high" }, ["body", "score"]],
    ["a comment that is a number", { comment: 1 }, ["body", "comment"]],
    ["a list as correction", { correction: [] }, ["body", "correction"]],
    ["a text as metadata", { metadata: "x" }, ["body", "metadata"]],
  ];
  for (const [name, body, loc] of refused) {
    it(`is refused with ${name}, and nothing is stored`, async () => {
      const { urls, run } = await finishedRun();
      const answer = await open("POST", text(urls.liked), body);
      assert.equal(answer.status, 422);
      const [issue] = list(answer.body.detail);
      assert.deepEqual(issue?.loc, loc);
      assert.equal(typeof issue.msg, "string");
      assert.equal(typeof issue.type, "string");
      assert.deepEqual(await given(run), []);
    });
  }

  it("is refused by GET with a correction that is not JSON", async () => {
    const { urls } = await finishedRun();
    const answer = await open("GET", `${text(urls.liked)}?correction=%7Bbroken`);
    assert.equal(answer.status, 422);
    assert.deepEqual(list(answer.body.detail)[0]?.loc, ["query", "correction"]);
  });

  it("is refused under an unknown, an expired or a malformed token", async () => {
    const { run } = await finishedRun();
    const expired = { run_id: run, feedback_key: "k", expires_at: "2020-01-01T00:00:00Z" };
    const { body } = await platform.send("POST", tokens, expired);
    const gone = { detail: "Feedback token not found or expired" };
    for (const url of [text(body.url), `${tokens}/${crypto.randomUUID()}`]) {
      const answer = await open("POST", url, { score: 1 });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, gone);
    }
    assert.equal((await open("POST", `${tokens}/nonsense`, {})).status, 422);
  });

  it("can be invited later for any run, one key or several", async () => {
    const { run } = await finishedRun();
    const one = (
      await platform.send("POST", tokens, { run_id: run, feedback_key: "late", expires_in: { days: 1 } })
    ).body;
    assert.equal(one.feedback_key, "late");
    assert.ok(Date.parse(text(one.expires_at)) > Date.now() + 23 * 3600 * 1000);
    const several = await platform.send("POST", tokens, [
      { run_id: run, feedback_key: "a" },
      { run_id: run, feedback_key: "b", feedback_config: { type: "continuous", min: 0, max: 1 } },
    ]);
    const [, ranged] = list(several.body);
    assert.equal((await open("POST", text(ranged?.url), { score: 2 })).status, 422);
    assert.equal((await open("POST", text(ranged?.url), { score: 1 })).status, 200);
    const unknown = await platform.send("POST", tokens, { run_id: crypto.randomUUID(), feedback_key: "x" });
    assert.equal(unknown.status, 404);
    const endless = { run_id: run, feedback_key: "x", expires_in: { days: 1e15 } };
    assert.equal((await platform.send("POST", tokens, endless)).status, 422);
  });

  it("is read, and its tokens are made, only with the key", async () => {
    for (const [method, path] of [
      ["POST", tokens],
      ["GET", `${tokens}?run_id=x`],
      ["GET", `${platform.ready.baseUrl}/api/v1/feedback`],
    ] as const) {
      assert.equal((await open(method, path, method === "POST" ? {} : undefined)).status, 401);
    }
  });
});

function pick(value: Shape | undefined, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, value?.[name]]));
}
