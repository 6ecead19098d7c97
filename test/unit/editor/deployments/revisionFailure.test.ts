import { deepEqual, equal, rejects } from "node:assert/strict";
import type { LogEntry, Revision } from "../../../../src/api/controlPlane/wire.ts";
import {
  failedRevision,
  type FailureSource,
  reasonOf,
  revisionBefore,
} from "../../../../src/editor/deployments/revisionFailure.ts";

const ref = { connectionId: "c", deploymentId: "d", revisionId: "r3" };

describe("Why a revision failed", () => {
  const cases: readonly (readonly [string, readonly LogEntry[], string | undefined])[] = [
    [
      "is the newest line that tells of an error",
      [
        { level: "INFO", message: "Giving up." },
        { level: "ERROR", message: "The agent server did not become healthy." },
        { level: "ERROR", message: "No answer yet." },
      ],
      "The agent server did not become healthy",
    ],
    [
      "is no line of a level that nobody knows",
      [{ level: "NOTICE", message: "Hm." }, { message: "?" }],
      undefined,
    ],
    [
      "is the first line of a stack of calls, without terminal colours",
      [{ level: "FATAL", message: "\u001b[31mError: no port\u001b[0m\n    at start (main.js:1)" }],
      "Error: no port",
    ],
    [
      "is the last line below a traceback",
      [{ level: "ERROR", message: "Traceback (most recent call last):\n  File x\nImportError: no graph" }],
      "ImportError: no graph",
    ],
    ["is cut where it is long", [{ level: "ERROR", message: "x".repeat(500) }], `${"x".repeat(200)}…`],
    ["is not told by an empty log", [], undefined],
  ];
  for (const [name, logs, reason] of cases)
    it(name, async () => equal(await reasonOf(source({ logs }), ref, "DEPLOY_FAILED"), reason));

  it("is looked for in the log that its status names", async () => {
    const asked: string[] = [];
    for (const status of ["DEPLOY_FAILED", "BUILD_FAILED", "CREATE_FAILED"])
      await reasonOf(source({ asked }), ref, status);
    deepEqual(asked, ["deploy", "build", "build"]);
  });
});

describe("The revision to go back to", () => {
  it("is the newest that was deployed before the failed one, however many failed in between", async () => {
    const pages = [
      [revision("r4", "DEPLOYED"), revision("r3", "DEPLOY_FAILED"), revision("r2", "BUILD_FAILED")],
      [revision("r1", "DEPLOYED"), revision("r0", "DEPLOYED")],
    ];
    equal((await revisionBefore(source({ pages }), ref))?.id, "r1");
  });

  it("is none where nothing was deployed before", async () => {
    const pages = [[revision("r3", "DEPLOY_FAILED"), revision("r2", "BUILD_FAILED")]];
    equal(await revisionBefore(source({ pages }), ref), undefined);
  });
});

describe("A failed revision", () => {
  it("is told of as far as the server answers", async () => {
    const broken = source({ pages: [[revision("r3", "DEPLOY_FAILED"), revision("r2", "DEPLOYED")]] });
    const silent = { ...broken, logs: { ofRevision: () => Promise.reject(new Error("away")) } };
    await rejects(reasonOf(silent as unknown as FailureSource, ref, undefined));
    const { reason, before } = await failedRevision(silent as unknown as FailureSource, ref, undefined);
    deepEqual([reason, before?.id], [undefined, "r2"]);
  });
});

function revision(id: string, status: string): Revision {
  return { id, status };
}

interface Answers {
  readonly logs?: readonly LogEntry[];
  readonly pages?: readonly (readonly Revision[])[];
  readonly asked?: string[];
}

function source({ logs = [], pages = [[]], asked = [] }: Answers): FailureSource {
  return {
    logs: {
      ofRevision: (_: string, __: string, { type }: { readonly type: string }) => {
        asked.push(type);
        return Promise.resolve({ logs });
      },
    },
    revisions: {
      page: (_: string, { offset = 0 }: { readonly offset?: number }) =>
        Promise.resolve({
          revisions: pages[offset] ?? [],
          nextOffset: offset + 1 < pages.length ? offset + 1 : undefined,
        }),
    },
  } as unknown as FailureSource;
}
