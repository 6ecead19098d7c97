import { deepEqual, equal } from "node:assert/strict";
import type { Exchange } from "../../../../src/api/http.ts";
import { RequestLog } from "../../../../src/editor/network/requestLog.ts";

const url = "https://p.example.com/v2/deployments";
const failed = (more: Partial<Exchange> = {}): Exchange => ({
  ...{ method: "GET", url, status: 503, error: "server", ms: 12.4, requestId: "r-1" },
  ...more,
});
const fine: Exchange = { method: "GET", url, status: 200, ms: 4.6 };

describe("RequestLog", () => {
  let lines: string[];
  let requests: RequestLog;

  beforeEach(() => {
    lines = [];
    const write = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
    requests = new RequestLog({ debug: write("debug"), info: write("info"), warn: write("warn") });
  });
  const warnings = (): string[] => lines.filter((line) => line.startsWith("warn "));

  it("warns of a request that fails once, however often it is repeated, and tells when it goes well", () => {
    for (const [index, exchange] of [failed(), failed({ ms: 13 }), failed(), fine, fine].entries())
      requests.note(exchange, index * 15_000);
    deepEqual(lines, [
      `warn Failed: GET ${url} 503, 12 ms, request r-1`,
      `debug GET ${url} 503 13 ms request r-1`,
      `debug GET ${url} 503 12 ms request r-1`,
      `info Answers again: GET ${url} 200, after 3 failures in 45 s`,
      `debug GET ${url} 200 5 ms`,
    ]);
    requests.note(failed(), 90_000);
    equal(warnings().length, 2);
  });

  it("warns of it again when it fails otherwise, and of others beside it", () => {
    const gone = failed({ status: undefined, error: "refused", requestId: undefined, ms: 1 });
    for (const exchange of [failed(), gone, failed({ url: `${url}/a` }), gone]) requests.note(exchange, 0);
    deepEqual(warnings(), [
      `warn Failed: GET ${url} 503, 12 ms, request r-1`,
      `warn Failed: GET ${url} refused, 1 ms`,
      `warn Failed: GET ${url}/a 503, 12 ms, request r-1`,
    ]);
  });

  it("warns neither of what was given up here, nor of a change: that has its line already", () => {
    requests.note(failed({ status: undefined, error: "aborted" }), 0);
    requests.note(failed({ method: "POST", changes: true }), 0);
    deepEqual([warnings(), lines.length], [[], 2]);
  });

  it("writes few warnings a minute of one server, however many requests fail", () => {
    for (let index = 0; index < 5000; index++)
      requests.note(failed({ url: `${url}/${String(index)}` }), 1000);
    equal(warnings().length, 21);
    equal(
      warnings().at(-1),
      "warn More requests to https://p.example.com fail. The log has each of them when its level is Debug.",
    );
    requests.note(failed({ url: "https://q.example.com/" }), 1000);
    equal(warnings().length, 22);
    requests.note(failed({ url: `${url}/one-more` }), 61_000);
    equal(warnings().length, 23);
  });
});
