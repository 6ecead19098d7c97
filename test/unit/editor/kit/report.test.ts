import { deepEqual, equal, match } from "node:assert/strict";
import type * as vscode from "vscode";
import { ApiError } from "../../../../src/api/errors.ts";
import { editor } from "../fakeVscode.ts";

const { Report } = await import("../../../../src/editor/kit/report.ts");

const call = { method: "GET", url: "https://p.test/v2/deployments/d" };

describe("A failure in the log", () => {
  let lines: (readonly unknown[])[];
  let report: InstanceType<typeof Report>;

  beforeEach(() => {
    lines = [];
    editor.shown.length = 0;
    const error = (...line: readonly unknown[]): number => lines.push(line);
    report = new Report({ error } as unknown as vscode.LogOutputChannel);
  });

  it("has the words of what could not be done alone, where its request has a line already", () => {
    report.failure("Redeploy", new ApiError("server", { ...call, status: 503, detail: "Come back later." }));
    deepEqual(lines, [["Redeploy: p.test failed with status 503: Come back later"]]);
    match(editor.shown.at(-1)?.text ?? "", /^Redeploy: p\.test failed with status 503: Come back later\. /);
  });

  it("has the request beside it, where that went well and its answer is of no use", () => {
    const broken = new ApiError("malformed", { ...call, status: 200, detail: "no list" });
    report.failure("Redeploy", broken);
    deepEqual(lines[0]?.slice(1), [`GET ${call.url}: 200 no list`]);
  });

  it("has where any other error comes from, and nothing of what a person ended", () => {
    report.failure("Redeploy", new TypeError("oops"));
    match(String(lines[0]?.[1]), /^TypeError: oops\n +at /);
    report.failure("Redeploy", new ApiError("aborted", call));
    equal(lines.length, 1);
  });
});
