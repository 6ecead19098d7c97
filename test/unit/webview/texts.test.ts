import { deepEqual, equal } from "node:assert/strict";
import { boxRows, capitalized } from "../../../src/webview/kit/texts.ts";

describe("A text on a page", () => {
  it("begins a sentence with its first letter in upper case", () => {
    deepEqual(["run ended", "API", "", "élan"].map(capitalized), ["Run ended", "API", "", "Élan"]);
  });

  it("has a box as high as its lines, within bounds", () => {
    deepEqual(
      ["", "a", "a\nb", "a\n".repeat(50)].map((text) => boxRows(text, 10)),
      [1, 1, 2, 10],
    );
    equal(boxRows("a", 10, 4), 4);
    equal(boxRows("a\nb\nc\nd\ne", 10, 4), 5);
  });
});
