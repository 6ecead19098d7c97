import { equal } from "node:assert/strict";
import { ApiError, type ErrorKind, mayBeDone } from "../../../src/api/errors.ts";

describe("What a failed call asked for", () => {
  const cases: readonly (readonly [kind: ErrorKind, status: number | undefined, mayBeDone: boolean])[] = [
    ["dns", undefined, false],
    ["refused", undefined, false],
    ["tls", undefined, false],
    ["proxy", 407, false],
    ["unauthorized", 401, false],
    ["conflict", 409, false],
    ["rateLimited", 429, false],
    ["timeout", undefined, true],
    ["cut", undefined, true],
    ["timeout", 408, true],
    ["server", 504, true],
    ["notJson", 200, true],
  ];
  for (const [kind, status, expected] of cases)
    it(`${expected ? "may" : "can't"} have been done after ${[kind, status].join(" ").trim()}`, () => {
      equal(mayBeDone(new ApiError(kind, { method: "POST", url: "https://p.test", status })), expected);
    });

  it("can't have been done where nothing was called", () => {
    equal(mayBeDone(new Error("There is no connection.")), false);
  });
});
