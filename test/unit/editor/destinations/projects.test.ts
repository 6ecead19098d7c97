import assert from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ReceivedFacts } from "../../../../src/editor/issues/issueStore.ts";
import { projectsOf, type ProjectSources } from "../../../../src/editor/destinations/projects.ts";

const issue = (id: string, session: object): ReceivedFacts => ({
  kind: "issue",
  id,
  at: "2026-06-01T00:00:00Z",
  unread: false,
  events: [],
  actions: [],
  issue: { id, name: "Loops", description: "", severity: 1, ...session },
});

const sources = (changes: Partial<ProjectSources>): ProjectSources => ({
  list: () => Promise.resolve(undefined),
  jobs: () => Promise.resolve([]),
  received: () => Promise.resolve([]),
  workspaceId: "here",
  ...changes,
});

describe("The projects whose traces can be exported", () => {
  it("are those that the platform lists, and nothing more needs to be said", async () => {
    const items = [{ id: "a", name: "production" }];
    const list = () => Promise.resolve({ items, hasMore: false });
    assert.deepEqual(await projectsOf(sources({ list })), { items, note: "" });
  });

  it("are said to be the first ones of a long list", async () => {
    const items = [{ id: "a", name: "production" }];
    const list = () => Promise.resolve({ items, hasMore: true });
    assert.match(
      (await projectsOf(sources({ list }))).note,
      /^The first 1 are listed; any other one goes by its ID\.$/,
    );
  });

  it("are those of this workspace's issues and of earlier exports where a platform lists none", async () => {
    const received = [
      issue("1", { tenant_id: "here", session_id: "a", session_name: "production" }),
      issue("2", { tenant_id: "elsewhere", session_id: "b", session_name: "of others" }),
      issue("3", { session_id: "c", session_name: "of nobody" }),
    ];
    const job = (session_id: string | null) => ({
      ...{ id: "e", status: "Completed", session_id },
      ...{ bulk_export_destination_id: "x", start_time: "2026-06-01T00:00:00Z" },
    });
    const found = await projectsOf(
      sources({
        jobs: () => Promise.resolve([job("a"), job("d"), job("d"), job(null)]),
        received: () => Promise.resolve(received),
      }),
    );
    assert.deepEqual(found.items, [
      { id: "a", name: "production", source: "from a received issue" },
      { id: "d", name: "d", source: "from an earlier export" },
    ]);
    assert.match(found.note, /^This platform lists no projects\. Those are offered that /);
  });

  it("are known from elsewhere, too, where the list is refused, and the reason is said", async () => {
    const list = () =>
      Promise.reject(
        new ApiError("forbidden", { method: "GET", url: "https://a.example/api/v1/sessions", status: 403 }),
      );
    const broken = () => Promise.reject(new Error("no exports here"));
    const { items, note } = await projectsOf(sources({ list, jobs: broken, received: broken }));
    assert.deepEqual(items, []);
    assert.match(
      note,
      /^The projects can't be listed: The API key was refused by a\.example\. Those are offered /,
    );
  });
});
