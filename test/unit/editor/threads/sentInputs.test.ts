import { deepEqual, equal } from "node:assert/strict";
import { SentInputs } from "../../../../src/editor/threads/inputs/sentInputs.ts";

describe("What agents were sent", () => {
  it("is known of each agent alone, the newest last and each once in its mode", () => {
    const sent = new SentInputs();
    for (const text of ["a", "b", "a"]) sent.add("one", { mode: "text", text });
    sent.add("one", { mode: "json", text: "a" });
    deepEqual(sent.of("two"), []);
    deepEqual(
      sent.of("one").map(({ mode, text }) => `${mode} ${text}`),
      ["text b", "text a", "json a"],
    );
  });

  it("is bounded in number and in length, and the oldest go", () => {
    const sent = new SentInputs();
    for (let count = 0; count < 60; count += 1) sent.add("many", { mode: "text", text: String(count) });
    equal(sent.of("many").length, 50);
    equal(sent.of("many")[0]?.text, "10");
    for (const letter of ["a", "b", "c"]) sent.add("long", { mode: "text", text: letter.repeat(400_000) });
    deepEqual(
      sent.of("long").map(({ text }) => text[0]),
      ["b", "c"],
    );
    sent.add("long", { mode: "text", text: "x".repeat(2_000_000) });
    deepEqual(sent.of("long"), []);
  });
});
