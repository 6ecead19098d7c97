import { deepEqual, equal } from "node:assert/strict";
import {
  parseDraft,
  pathOf,
  pathsNamedIn,
  spanOf,
  withId,
} from "../../../../src/editor/deployments/drafts/parsedDraft.ts";
import type { DraftPath } from "../../../../src/editor/deployments/drafts/parsedDraft.ts";

const text = '{\n  "name": "a",\n  "source_config": { "repo_url": 7 },\n  "secrets": [{ "name": "X" }]\n}\n';

describe("positions in a draft", () => {
  it("are found by the path that a refused field has", () => {
    const field = (...loc: (string | number)[]) => pathOf({ loc, msg: "", type: "" });
    equal(textAt(field("body", "source_config", "repo_url")), "7");
    equal(textAt(field("body", "secrets", 0, "name")), '"X"');
    equal(textAt(field("name")), '"a"');
  });

  it("are the nearest ones above when the field is not there", () => {
    equal(textAt(["secrets", 0, "value"]), '{ "name": "X" }');
    equal(textAt(["source_config", "deployment_type"]), '{ "repo_url": 7 }');
    equal(textAt(["nowhere"]), "{");
  });

  it("are given for a text that is no JSON", () => {
    for (const [broken, rest] of [
      ['{ "name": "a",, }', ", }"],
      ['{ "name": "a" // why\n}', "// why\n}"],
      ['{ "name": "a", }', "}"],
    ] as const) {
      const parsed = parseDraft(broken);
      equal(parsed.kind === "problem" && broken.slice(parsed.span.offset), rest);
    }
    equal(parseDraft("").kind, "problem");
  });

  it("are found from a sentence of the server that names a field", () => {
    const draft = { name: "a", source: "github", source_config: {} };
    const named = (sentence: string) => pathsNamedIn(sentence, draft).map((path) => path.join("."));
    deepEqual(named("A deployment from github needs source_config.repo_url."), ["source_config.repo_url"]);
    deepEqual(named("source cannot be changed."), ["source"]);
    deepEqual(named("Deployment ID 1.2 not found."), []);
  });

  it("take an id as the first member and leave the rest as it was", () => {
    const edit = withId(text, "new");
    const edited =
      edit &&
      text.slice(0, edit.span.offset) + edit.content + text.slice(edit.span.offset + edit.span.length);
    equal(edited, text.replace("{\n", '{\n  "id": "new",\n'));
  });
});

function textAt(path: DraftPath): string {
  const parsed = parseDraft(text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  const { offset, length } = spanOf(parsed.root, path).span;
  return text.slice(offset, offset + length);
}
