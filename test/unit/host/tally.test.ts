import { deepEqual, equal } from "node:assert/strict";

import { readFailures, readTally } from "../../host/tally.ts";

describe("What a suite printed", () => {
  it("counts how many tests passed and failed", () => {
    deepEqual(readTally("  ✔ says hello\n\n  1 passing (2s)\n"), { passed: 1, failed: 0 });
    deepEqual(readTally(withFailure), { passed: 2, failed: 1 });
  });

  it("is read again from where mocha accounts for what failed", () => {
    equal(readFailures("  ✔ says hello\n\n  1 passing (2s)\n"), "");
    equal(readFailures(withFailure), "  1 failing\n\n  1) A greeting is kind:\n     Error: it was rude");
  });

  it("names the attempts that were followed by another one", () => {
    const output =
      "  ✔ says hello\n    ↻ tried again: is kind: it was rude\n  ✔ is kind\n\n  2 passing (2s)\n";
    equal(readFailures(output), "    ↻ tried again: is kind: it was rude");
  });

  it("is read again from its last lines when it never came to its end", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${String(at)}`);
    equal(readTally(lines.join("\n")), undefined);
    deepEqual(readFailures(lines.join("\n")).split("\n"), lines.slice(-40));
  });
});

const withFailure = `  ✔ says hello
  1) is kind

  2 passing (2s)
  1 failing

  1) A greeting is kind:
     Error: it was rude

`;
