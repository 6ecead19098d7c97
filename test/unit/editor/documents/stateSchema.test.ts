import { equal, throws } from "node:assert/strict";
import { within } from "../../../../src/editor/documents/stateEdits/stateSchema.ts";

describe("A check of a state by its schema", () => {
  it("gives what it comes to, or throws what it throws", () => {
    equal(
      within(10_000, () => 7),
      7,
    );
    throws(
      () =>
        within(10_000, () => {
          throw new TypeError("no");
        }),
      TypeError,
    );
  });

  it("is given up when it takes longer, in a loop as in a pattern", () => {
    const endless = (): number => {
      for (;;);
    };
    equal(within(50, endless), undefined);
    equal(
      within(50, () => /^(a+)+$/.test(`${"a".repeat(60)}b`)),
      undefined,
    );
  });
});
