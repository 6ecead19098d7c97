import { deepEqual, equal } from "node:assert/strict";
import { flagOf, hasTexts, meant, refOf, textOf } from "../../../../src/editor/kit/ask/meant.ts";

const one = (toolServerId: string) => ({ connectionId: "c", toolServerId });
const row = (toolServerId: string) => ({ id: `one:${toolServerId}`, ref: one(toolServerId) });
const deployment = { connectionId: "c", deploymentId: "d" };
const selections = [
  { viewId: "left", rows: [one("a"), one("b")] },
  { viewId: "right", rows: [one("c")] },
];
const ids = (...args: readonly unknown[]): readonly string[] | undefined =>
  meant(args, "toolServerId", selections)?.map(({ toolServerId }) => toolServerId);

describe("What a command was started on", () => {
  it("is found in a row, in a reference, in what has a reference, and in ids", () => {
    deepEqual(refOf(row("a"), "toolServerId"), one("a"));
    deepEqual(refOf({ ref: one("a") }, "toolServerId"), one("a"));
    deepEqual(refOf(one("a"), "toolServerId"), one("a"));
    deepEqual(refOf([row("a")], "toolServerId"), one("a"));
  });

  it("is nothing from the palette, and for a value that is no object", () => {
    for (const value of [undefined, null, "a", 1, [], [undefined]])
      equal(refOf(value, "toolServerId"), undefined);
    equal(ids(), undefined);
    equal(ids(undefined, undefined), undefined);
  });

  it("is nothing where one of its ids is missing or is no text", () => {
    equal(refOf({ connectionId: "c", revisionId: "a" }, "revisionId"), undefined);
    equal(refOf({ ...deployment, revisionId: 1 }, "revisionId"), undefined);
    equal(refOf({ deploymentId: "d" }, "deploymentId"), undefined);
  });

  it("is a deployment on a revision's row, and a connection on any row", () => {
    const revision = { ...deployment, revisionId: "r" };
    deepEqual(refOf({ ref: revision }, "deploymentId"), deployment);
    deepEqual(refOf({ ref: revision }, "revisionId"), revision);
    deepEqual(refOf({ ref: revision }, "connectionId"), { connectionId: "c" });
    equal(refOf({ ref: deployment }, "revisionId"), undefined);
  });

  it("carries the name that the row knows, and nothing else", () => {
    const ref = { connectionId: "c", agentId: "a", name: "Ada", status: "ready" };
    deepEqual(refOf({ ref }, "agentId"), { connectionId: "c", agentId: "a", name: "Ada" });
  });

  it("is a text or a flag by its name, in all of these", () => {
    const ref = { graph: "g", isKey: true, endsServer: "yes", runId: 7 };
    for (const value of [ref, { ref }, [ref], [{ ref }]]) {
      equal(textOf(value, "graph"), "g");
      equal(textOf(value, "runId"), undefined);
      equal(flagOf(value, "isKey"), true);
      equal(flagOf(value, "endsServer"), false);
    }
    for (const value of [undefined, null, "g", [], [undefined]]) {
      equal(textOf(value, "graph"), undefined);
      equal(flagOf(value, "isKey"), false);
    }
  });

  it("has every text that its reader needs, or is nothing to it", () => {
    equal(hasTexts({ graph: "g", node: "n" }, "graph", "node"), true);
    equal(hasTexts({ graph: "g", node: 1 }, "graph", "node"), false);
    equal(hasTexts(undefined, "graph"), false);
  });

  it("is all that is selected when one of several rows was clicked", () => {
    deepEqual(ids(row("a"), [row("a"), row("c")]), ["a", "c"]);
    deepEqual(ids(row("a"), []), ["a"]);
    deepEqual(ids(row("a"), [row("a"), { ref: deployment }]), ["a"]);
  });
});

describe("A key that is pressed in a list", () => {
  it("acts on the focused row alone when that row is not selected", () => {
    deepEqual(ids([row("x")]), ["x"]);
  });

  it("acts on all that are selected with the focused row, the focused one first", () => {
    deepEqual(ids([row("b")]), ["b", "a"]);
  });

  it("never acts on what is selected in another view", () => {
    deepEqual(ids([row("c")]), ["c"]);
    deepEqual(ids([row("a")])?.includes("c"), false);
  });

  it("acts on nothing where the focused row is of another kind, or there is none", () => {
    deepEqual(ids([{ name: "a connection" }]), []);
    deepEqual(ids([undefined]), []);
    deepEqual(ids([]), []);
  });

  it("acts on its own view's selection in an editor that does not pass the focused row", () => {
    deepEqual(ids([{ $treeViewId: "right", $focusedTreeItem: true }]), ["c"]);
    deepEqual(ids([{ $treeViewId: "elsewhere", $focusedTreeItem: true }]), []);
  });
});
