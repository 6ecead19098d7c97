import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { TreeNode, NodeHost } from "../../../../src/editor/kit/tree/node.ts";
import type { Branch } from "../../../../src/editor/kit/tree/branchNode.ts";
import "../fakeVscode.ts";

const { BranchNode, reload } = await import("../../../../src/editor/kit/tree/branchNode.ts");

type Ref = { readonly connectionId: string };

const gone = new AbortController();
let drawn = 0;
const host = {
  refresh: "agentOperations.deployments.refresh",
  signal: gone.signal,
  changed: () => (drawn += 1),
  isOpen: () => true,
} as unknown as NodeHost;

describe("a row", () => {
  it("gives what was fetched, and keeps it below the reason why it can't be fetched again", async () => {
    let fails = false;
    const row = branch("a", {
      load: (parent) =>
        fails ? Promise.reject(new Error("away")) : Promise.resolve([branch("a1", {}, parent)]),
    });
    equal(row.known, undefined);
    deepEqual(idsOf(await row.children()), ["a1"]);
    fails = true;
    await row.load();
    deepEqual(shown(row), ["failure:a", "a1"]);
    match(reasonOf(row), /^Rows as of \d\d:\d\d( [AP]M)?\. /);
    fails = false;
    await row.load();
    deepEqual(shown(row), ["a1"]);
  });

  it("stays the same object when it is fetched anew, with what is known below it", async () => {
    let title = "first";
    const row = branch("a", {
      load: (parent) =>
        Promise.resolve([
          branch("a1", { ...labelled(title), load: () => Promise.resolve([branch("a11")]) }, parent),
        ]),
    });
    const [before] = await row.children();
    await before?.children?.();
    title = "second";
    await reload(row);
    const [after] = row.known ?? [];
    equal(after, before);
    match(after?.snapshot() ?? "", /second/);
    deepEqual(idsOf(after?.known ?? []), ["a11"]);
  });

  it("shows what a model knows, and makes the model fetch only what it does not know", async () => {
    let model: readonly string[] | undefined;
    let asked = 0;
    const row = branch("a", {
      known: (parent) => model?.map((id) => branch(id, {}, parent)),
      load: () => {
        asked += 1;
        model = ["a1", "a2"];
        return Promise.resolve(undefined);
      },
    });
    equal(row.known, undefined);
    const [first] = await row.children();
    equal(asked, 1);
    model = ["a0", "a1"];
    deepEqual(idsOf(await row.children()), ["a0", "a1"]);
    equal(row.known?.[1], first);
    equal(asked, 1);
  });

  it("says why a model could not fetch, with what it knew before", () => {
    const error = new Error("away");
    const row = branch("a", { known: (parent) => [branch("a1", {}, parent)], failure: () => ({ error }) });
    deepEqual(shown(row), ["failure:a", "a1"]);
    equal(row.known?.[0], row.known?.[0], "the reason's row is another object each time");
  });

  it("is fetched again when it is forgotten while it is fetched, and gives up on what never comes", async () => {
    let asked = 0;
    const answers = [
      Promise.withResolvers<readonly TreeNode[]>(),
      Promise.withResolvers<readonly TreeNode[]>(),
    ];
    const row = branch("a", { load: () => answers[asked++]?.promise ?? Promise.resolve([]) });
    const children = row.children();
    row.reset();
    answers[0]?.resolve([branch("old")]);
    answers[1]?.resolve([branch("new")]);
    deepEqual(idsOf(await children), ["new"]);
    const never = branch("b", { known: () => undefined, load: () => Promise.resolve(undefined) });
    deepEqual(await never.children(), []);
  });

  it("is drawn again when anything that can be seen of it changed", () => {
    const label = branch("a", labelled("one")).snapshot();
    ok(label !== branch("a", labelled("two")).snapshot());
    equal(label, branch("a", labelled("one")).snapshot());
    equal(branch("a", { ...labelled("one"), snapshot: () => "own" }).snapshot(), "own");
  });

  it("notifies its view after each answer", async () => {
    drawn = 0;
    await branch("a", { load: () => Promise.resolve([]) }).load();
    equal(drawn, 1);
  });
});

function branch(id: string, parts: Partial<Branch<Ref>> = {}, parent?: TreeNode) {
  const made = { id, parent, ref: { connectionId: "c" }, ...labelled(id), ...parts };
  return new BranchNode<Ref>(made, host);
}

function labelled(label: string): Pick<Branch<Ref>, "row"> {
  return { row: () => ({ label }) };
}

function shown(row: TreeNode): readonly string[] {
  return idsOf(row.known ?? []);
}

function idsOf(nodes: readonly TreeNode[]): readonly string[] {
  return nodes.map(({ id }) => id);
}

/** What the first row below says. */
function reasonOf(row: TreeNode): string {
  return row.known?.[0]?.snapshot() ?? "";
}
