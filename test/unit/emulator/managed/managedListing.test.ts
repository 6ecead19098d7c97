import assert from "node:assert/strict";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

describe("the list of managed agents", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;
  const names = ["delta", "Alpha", "charlie", "Bravo", "echo", "Älpha"];
  let ids: string[];

  beforeEach(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
    const samples = (await client.pages("/agents?page_size=100", "items")).flat();
    for (const id of samples) await client.send("DELETE", `/agents/${id}`);
    ids = [];
    for (const name of names) ids.push(await client.agentId({ name }));
  });
  afterEach(() => platform.remove());

  const listed = async (query: string): Promise<string[]> =>
    list((await client.get(`/agents?${query}`)).items).map(({ name }) => text(name));

  it("holds summaries, 20 to a page, newest change first", async () => {
    for (let i = 0; i < 15; i++) await client.agentId({ name: `more ${i}` });
    const page = await client.get("/agents");
    assert.equal(list(page.items).length, 20);
    assert.equal(typeof page.next_cursor, "string");
    assert.equal(list(page.items)[0]?.name, "more 14");
    assert.deepEqual(Object.keys(list(page.items)[0]!).sort(), [
      "access_level",
      "backend",
      "created_at",
      "description",
      "extras",
      "id",
      "is_owner",
      "name",
      "owner_id",
      "permissions",
      "runtime",
      "updated_at",
    ]);
    assert.equal((await client.get("/agents?page_size=100")).next_cursor, null);
  });

  it("is empty, not missing, when there are none", async () => {
    assert.deepEqual(await client.get("/agents?name=nobody"), { items: [], next_cursor: null });
  });

  const orders: [string, string[]][] = [
    ["sort_by=name&sort_order=asc", ["Alpha", "Bravo", "charlie", "delta", "echo", "Älpha"]],
    ["sort_by=name&sort_order=desc", ["Älpha", "echo", "delta", "charlie", "Bravo", "Alpha"]],
    ["sort_by=created_at&sort_order=asc", names],
    ["sort_by=created_at&sort_order=desc", names.toReversed()],
    ["sort_by=created_at", names.toReversed()],
    ["sort_by=updated_at&sort_order=asc", [...names.slice(1), "delta"]],
    ["sort_by=updated_at", ["delta", ...names.slice(1).toReversed()]],
    ["", ["delta", ...names.slice(1).toReversed()]],
  ];
  for (const [query, expected] of orders) {
    it(`can be sorted: ${query === "" ? "by default" : query}`, async () => {
      await client.send("PATCH", `/agents/${ids[0]!}`, { description: "touched" });
      assert.deepEqual(await listed(query), expected);
    });
  }

  it("can be narrowed to a part of the name, in any letter case, taken literally", async () => {
    assert.deepEqual(await listed("name=LPH&sort_by=name&sort_order=asc"), ["Alpha", "Älpha"]);
    assert.deepEqual(await listed("name=%C3%84L"), ["Älpha"]);
    assert.deepEqual(await listed("name=%25"), []);
    assert.deepEqual(await listed("name=_"), []);
  });

  for (const sort_by of ["created_at", "updated_at", "name"]) {
    for (const sort_order of ["asc", "desc"]) {
      it(`shows each agent once while others are made, changed and deleted: ${sort_by} ${sort_order}`, async () => {
        let turn = 0;
        const query = `/agents?page_size=2&sort_by=${sort_by}&sort_order=${sort_order}`;
        const before = await listed(query.slice("/agents?".length).replace("=2", "=100"));
        const pages = await client.pages(query, "items", async () => {
          turn += 1;
          await client.agentId({ name: `charlie ${turn}` });
          // Each of these would move an agent over the border between what was shown and what was not.
          for (const [index, id] of ids.entries()) {
            await client.send("PATCH", `/agents/${id}`, { name: `${(index + turn) % 2 ? "a" : "z"}${turn}` });
          }
        });
        assert.deepEqual(
          pages.flat().map((id) => names[ids.indexOf(id)]),
          before,
        );
        assert.deepEqual(
          pages.map(({ length }) => length),
          [2, 2, 2],
        );
      });
    }
  }

  it("goes on without an agent that was deleted meanwhile", async () => {
    const query = "/agents?page_size=2&sort_by=created_at&sort_order=asc";
    let left = [ids[1]!, ids[2]!];
    const pages = await client.pages(query, "items", async () => {
      for (const id of left) await client.send("DELETE", `/agents/${id}`);
      left = [];
    });
    assert.deepEqual(pages.flat(), [ids[0], ids[1], ids[3], ids[4], ids[5]]);
  });

  it("goes on after a restart", async () => {
    const first = await client.get("/agents?page_size=4&sort_by=created_at&sort_order=asc");
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    client = new ManagedClient(platform);
    const cursor = text(first.next_cursor);
    const rest = await listed(`page_size=4&sort_by=created_at&sort_order=asc&cursor=${cursor}`);
    assert.deepEqual(rest, names.slice(4));
  });

  it("takes a cursor only for the listing that it came from", async () => {
    const { next_cursor } = await client.get("/agents?page_size=2");
    for (const query of [
      `sort_by=name&cursor=${text(next_cursor)}`,
      `sort_order=asc&cursor=${text(next_cursor)}`,
      `name=a&cursor=${text(next_cursor)}`,
      "cursor=nonsense",
      `cursor=${Buffer.from('["x",1,2]').toString("base64url")}`,
      "cursor=",
    ]) {
      const answer = await client.send("GET", `/agents?${query}`);
      assert.equal(answer.status, 400, query);
      assert.equal(answer.body.status, 400);
    }
    assert.equal(list((await client.get(`/agents?page_size=4&cursor=${text(next_cursor)}`)).items).length, 4);
  });

  for (const query of [
    "page_size=0",
    "page_size=101",
    "page_size=ten",
    "page_size=1.5",
    "sort_by=owner",
    "sort_order=up",
    "sort_by=name;DROP",
  ]) {
    it(`refuses ${query} with its own error body`, async () => {
      const { status, body } = await client.send("GET", `/agents?${query}`);
      assert.equal(status, 400);
      assert.equal(body.status, 400);
      assert.equal(body.code, "invalid_request");
      assert.match(text(body.detail), new RegExp(query.split("=")[0]!));
    });
  }
});
