import { equal } from "node:assert/strict";
import type { ThreadVersion } from "../../../../src/editor/threads/servers/threadHost.ts";
import type { ThreadHosts } from "../../../../src/editor/threads/servers/threadHosts.ts";
import { watchSession } from "../../../../src/editor/threads/sessionWatch.ts";
import { hello, human, opened } from "../../run/session/openedSession.ts";
import { stateOf, streamOf } from "../../run/session/scriptedServer.ts";

const target = { connectionId: "c", server: { kind: "agentServer", url: "http://server" } } as const;

describe("A watch of a session's thread", () => {
  it("has a run read that others began while one of its own ended, though it is known by name", async () => {
    const { session, server, clock, shown, idle } = opened({ threadId: "thread" });
    const updatedAt = new Date(1_700_000_000_000).toISOString();
    const watch = watchOf({ session, server, clock }, updatedAt);
    session.listen(() => {
      if (session.state.kind === "streaming") watch.hurry();
    });
    server.meanwhile = () => {
      const said = { bytes: streamOf(["custom", { step: 1 }]), status: "success" };
      const { run_id } = server.add(said, { assistant_id: "chat", input: { messages: [human("Mine")] } });
      server.state = { ...stateOf({ messages: [] }), metadata: { run_id } };
    };
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" });
    watch.watch(true);
    await session.start(hello);
    await idle();
    await clock.until(() => shown().includes('{"step":1}'));
    equal(shown(), 'run success\nhuman: Hello\nrun success\nhuman: Mine\ncustom ×1 {"step":1}\n');
    watch.dispose();
  });

  it("reads what others did long after its run, by the newer of two timestamps", async () => {
    const { session, server, clock, idle } = opened({ threadId: "thread" });
    const updatedAt = [1_700_000_000_000, 4_000_000_000_000]
      .map((at) => new Date(at).toISOString())
      .join(" ");
    const watch = watchOf({ session, server, clock }, updatedAt);
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" });
    await session.start(hello);
    await idle();
    let isRead = false;
    server.meanwhile = () => (isRead = true);
    watch.watch(true);
    await clock.until(() => isRead);
    watch.dispose();
  });

  it("says once that a thread is not followed whose server tells changes only by its whole state", async () => {
    const { session, clock, entries, load, server } = opened({ threadId: "thread" });
    let looks = 0;
    const version = (): Promise<undefined> => {
      looks += 1;
      return Promise.resolve(undefined);
    };
    const threadHosts = { of: () => ({ version, runs: server }) } as unknown as Pick<ThreadHosts, "of">;
    const watch = watchSession(target, session, {
      threadHosts,
      clock,
      attention: { slowestMs: () => 10_000 },
    });
    await load();
    watch.watch(true);
    await clock.until(() => looks > 2);
    watch.dispose();
    equal(
      entries("notice")
        .map(({ text }) => text.split(":")[0])
        .join(),
      "This thread is too large to be followed here",
    );
  });
});

/** Watches a thread that its host says was changed then. */
function watchOf(
  { session, server, clock }: Pick<Opened, "session" | "server" | "clock">,
  updatedAt: string,
) {
  const version = (): Promise<ThreadVersion> => Promise.resolve({ status: "idle", updatedAt });
  const threadHosts = { of: () => ({ version, runs: server }) } as unknown as Pick<ThreadHosts, "of">;
  return watchSession(target, session, { threadHosts, clock, attention: { slowestMs: () => 10_000 } });
}

type Opened = ReturnType<typeof opened>;
