import { deepEqual, equal } from "node:assert/strict";
import type * as vscode from "vscode";
import type { Exchange } from "../../../../src/api/http.ts";
import "../fakeVscode.ts";
import { FailedRequests } from "../../../../src/editor/kit/failedRequests.ts";

const { Report } = await import("../../../../src/editor/kit/report.ts");
const url = "https://p.example.com/v2/deployments";
const failed = (more: Partial<Exchange> = {}): Exchange => ({
  ...{ method: "GET", url, status: 503, error: "server", ms: 12, requestId: "r-1" },
  ...more,
});
const fine: Exchange = { method: "GET", url, status: 200, ms: 5 };

describe("FailedRequests", () => {
  it("tells of a request that fails once, however often it is repeated, and when it goes well again", () => {
    const requests = new FailedRequests();
    const lines = [failed(), failed({ requestId: "r-2" }), failed({ requestId: "r-3" }), fine, fine].map(
      (exchange, index) => requests.lineOf(exchange, index * 15_000),
    );
    deepEqual(lines, [
      { level: "warn", text: `Failed: GET ${url} 503, 12 ms, request r-1` },
      undefined,
      undefined,
      { level: "info", text: `Answers again: GET ${url} 200, after 3 failures in 45 s` },
      undefined,
    ]);
    equal(requests.lineOf(failed(), 90_000)?.level, "warn");
  });

  it("tells of it again when it fails otherwise, and of others beside it", () => {
    const requests = new FailedRequests();
    requests.lineOf(failed(), 0);
    const gone = failed({ status: undefined, error: "refused", requestId: undefined, ms: 1 });
    equal(requests.lineOf(gone, 1)?.text, `Failed: GET ${url} refused, 1 ms`);
    equal(requests.lineOf(failed({ url: `${url}/a` }), 2)?.level, "warn");
    equal(requests.lineOf(gone, 3), undefined);
  });

  it("takes what was given up here for no failure", () => {
    equal(new FailedRequests().lineOf(failed({ status: undefined, error: "aborted" }), 0), undefined);
  });

  it("writes few lines a minute of one server, however many requests fail", () => {
    const requests = new FailedRequests();
    const threads = Array.from({ length: 5000 }, (_, index) => failed({ url: `${url}/${String(index)}` }));
    const lines = threads.flatMap((exchange) => requests.lineOf(exchange, 1000)?.text ?? []);
    equal(lines.length, 21);
    equal(
      lines.at(-1),
      "More requests to https://p.example.com fail. The log has each of them when its level is Debug.",
    );
    equal(requests.lineOf(failed({ url: "https://q.example.com/" }), 1000)?.level, "warn");
    equal(requests.lineOf(failed({ url: `${url}/one-more` }), 61_000)?.level, "warn");
  });

  it("writes where a person finds it unasked, once: a change that failed has its line already", () => {
    const lines: string[] = [];
    const write = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
    const levels = { debug: write("debug"), info: write("info"), warn: write("warn") };
    const report = new Report(levels as unknown as vscode.LogOutputChannel);
    const changing = failed({ method: "POST", url: `${url}/x`, changes: true });
    for (const exchange of [failed(), failed({ ms: 13 }), fine, fine, changing]) report.exchange(exchange);
    deepEqual(lines, [
      `warn Failed: GET ${url} 503, 12 ms, request r-1`,
      `debug GET ${url} 503 13 ms request r-1`,
      `info Answers again: GET ${url} 200, after 2 failures in 0 s`,
      `debug GET ${url} 200 5 ms`,
      `debug POST ${url}/x 503 12 ms request r-1`,
    ]);
  });
});
