import { deepEqual, equal, match } from "node:assert/strict";
import { until } from "../../../support/until.ts";
import { editor } from "../fakeVscode.ts";
import { InboxWorld, waiting } from "../inbox/inboxWorld.ts";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";

const { InboxView } = await import("../../../../src/editor/views/threads/inbox.ts");

type Services = ConstructorParameters<typeof InboxView>[0];
type EditorView = ConstructorParameters<typeof InboxView>[1];

const event = () => ({ dispose: () => undefined });

describe("The Inbox view of 5,000 waiting threads", () => {
  let world: InboxWorld;
  let view: InstanceType<typeof InboxView>;
  /** The editor's side: what stands beside the rows. */
  const shown: { badge?: { readonly value: number }; description?: string } = {};

  beforeEach(async () => {
    editor.commands.length = 0;
    world = new InboxWorld({});
    for (const [at, id] of ["one", "two"].entries())
      world.threads.set(
        id,
        Array.from({ length: 2500 }, (_, index) => waiting(`${id}-${String(index)}`, 2 * index + at)),
      );
    const events = ["Selection", "Visibility"].map((name) => [`onDidChange${name}`, event]);
    const folds = ["Expand", "Collapse"].map((name) => [`onDid${name}Element`, event]);
    Object.assign(shown, { ...Object.fromEntries([...events, ...folds]), visible: true, selection: [] });
    view = new InboxView(world.viewServices as Services, shown as unknown as EditorView);
    await until("they are listed", () => world.inbox.contents?.isListed === true);
    await until("all is drawn", () => shown.description?.includes("read") === true);
  });
  afterEach(() => {
    view.dispose();
    world.inbox.dispose();
  });

  it("has the right number beside it, 500 rows, and took twelve small requests", async () => {
    equal(shown.badge?.value, 5000);
    equal(shown.description, "5,000 waiting, 1,000 read");
    const rows = await view.polled.nodes.getChildren();
    equal(rows.length, 501);
    match(String(labelOf(rows[0])), /^one · /, "the connection comes first");
    equal(labelOf(rows[500]), "Load more (500 of 5,000 shown)");
    deepEqual([world.searched.length, world.countedOn.length], [10, 2]);
  });

  it("has a row for each connection in their place, and says how many of its threads are shown", async () => {
    await world.inbox.arrange({ group: "connection" });
    const [one, two, more, ...others] = await view.polled.nodes.getChildren();
    deepEqual(
      [one, two].map((group) => [labelOf(group), group?.item().description, group?.known?.length]),
      [
        ["one", "250 shown", 250],
        ["two", "250 shown", 250],
      ],
    );
    equal(labelOf(more), "Load more (500 of 5,000 shown)");
    equal(others.length, 0);
    equal(shown.badge?.value, 5000);
  });

  it("says on a row that lists a question that its thread may ask more", async () => {
    const interrupts = { task: [{ id: "i", value: "Which account?" }] };
    world.threads.set("one", [{ ...waiting("asks", 0), interrupts }, waiting("says nothing", 1)]);
    await world.inbox.load(true);
    const rows = (await view.polled.nodes.getChildren()).filter(({ id }) => id.includes("/http://one/"));
    const hovers = await Promise.all(rows.map(async (row) => (await row.tooltip?.()) as { value: string }));
    deepEqual(
      hovers.map(({ value }) => /Which account\?|The thread may ask more/g[Symbol.match](value)),
      [["Which account?", "The thread may ask more"], null],
    );
  });

  it("ends in one folded row for all that could not be asked", async () => {
    for (const id of ["three", "four"]) world.threads.set(id, new Error("away"));
    await world.inbox.load(true);
    const rows = await view.polled.nodes.getChildren();
    const last = view.polled.nodes.getTreeItem(rows.at(-1)!);
    deepEqual(
      [rows.length, last.label, last.description, last.collapsibleState],
      [502, "Could not be read", "three · server, four · server", 1],
    );
  });

  it("has as many more rows as a person wants, and asks only where what was read is shown", async () => {
    const seen: number[][] = [];
    for (let press = 0; press < 4; press += 1) {
      await world.inbox.loadMore();
      const rows = await view.polled.nodes.getChildren();
      seen.push([rows.length, world.searched.length]);
    }
    deepEqual(seen, [
      [1001, 10],
      [2001, 32],
      [4001, 74],
      [5000, 128],
    ]);
    equal(shown.badge?.value, 5000);
  });

  it("draws one row again when one of 5,000 was not sent", async () => {
    for (let press = 0; press < 4; press += 1) await world.inbox.loadMore();
    const { nodes } = view.polled;
    await nodes.getChildren();
    const drawn: (readonly string[])[] = [];
    nodes.onDidChangeTreeData((changed) => drawn.push([changed ?? []].flat().map(({ id }) => id)));
    const [, , third] = world.inbox.threads;
    world.inbox.noteSent(third!.ref, { reason: "The server is away" });
    deepEqual(drawn, [["waiting:one/http://one/one-1"]]);
  });
});

function labelOf(row: TreeNode | undefined): unknown {
  return row?.item().label;
}
