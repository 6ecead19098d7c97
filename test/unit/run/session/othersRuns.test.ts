import { strict as assert } from "node:assert";
import { hello, human, opened } from "./openedSession.ts";
import { stateOf, streamOf } from "./scriptedServer.ts";

/** A run that streams nothing to who comes later. */
const silent = { bytes: streamOf(), status: "success", resumable: false } as const;
const says = (text: string) => ({ assistant_id: "chat", input: { messages: [human(text)] } });

describe("a session on a thread that others run, too", () => {
  it("shows what a person said once in a run that begins between the look at the runs and the one at the state", async () => {
    const { session, server, shown, clock, load } = opened({ threadId: "thread" });
    const answered = (...texts: readonly string[]) => ({
      messages: texts.flatMap((text, turn) => [
        { ...human(text), id: `q${turn}` },
        { type: "ai", id: `a${turn}`, content: text.toUpperCase() },
      ]),
    });
    server.state = {
      ...stateOf(answered("one")),
      metadata: { run_id: server.add(silent, says("one")).run_id },
    };
    await load();
    const listed = await server.runs.list("thread");
    server.state = {
      ...stateOf(answered("one", "two")),
      metadata: { run_id: server.add(silent, says("two")).run_id },
    };
    const list = server.runs.list.bind(server.runs);
    let asked = 0;
    server.runs.list = (...given) => (asked++ === 0 ? Promise.resolve(listed) : list(...given));
    for (let look = 0; look < 2; look += 1) {
      let done = false;
      void session.refresh().then(() => (done = true));
      await clock.until(() => done);
      assert.equal(
        shown(),
        "run success\nhuman: one\nai: ONE\nrun success\nhuman: two\nai: TWO\n",
        `look ${look}`,
      );
    }
  });

  it("shows what a person said once in a run that others start while the one before it ends", async () => {
    const { session, server, shown, clock, idle } = opened({ threadId: "thread" });
    const said = (...texts: readonly string[]) => ({
      messages: texts.map((content, turn) => ({ ...human(content), id: `q${turn}` })),
    });
    server.script.push({ bytes: streamOf(["metadata", { run_id: "run1" }]), status: "success" });
    server.meanwhile = () => {
      const { run_id } = server.add(silent, says("Hello again"));
      server.state = { ...stateOf(said("Hello", "Hello again")), metadata: { run_id } };
    };
    await session.start(hello);
    await idle();
    let done = false;
    void session.refresh().then(() => (done = true));
    await clock.until(() => done);
    assert.equal(shown(), "run success\nhuman: Hello\nrun success\nhuman: Hello again\n");
  });

  it("shows what a run asks that comes to its end while the thread is read", async () => {
    const { server, shown, load } = opened({ threadId: "thread" });
    server.add(silent, says("one"));
    const list = server.runs.list.bind(server.runs);
    server.runs.list = async (...given) => {
      const runs = await list(...given);
      const interrupts = [{ id: "q", value: "Sure?" }];
      server.state = stateOf({}, [{ id: "t", name: "ask", interrupts }]);
      return runs;
    };
    await load();
    assert.match(shown(), /interrupt open: "Sure\?"/);
  });
});
