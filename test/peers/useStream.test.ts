import assert from "node:assert/strict";
import type { Json } from "./sdk/client.ts";
import { type Compared, servers, text } from "./sdk/facts.ts";
import { HookPage, type Mounted, type UseStream } from "./sdk/useStream.ts";

const say = (content: string, rest: object = {}) => ({ messages: [{ type: "human", content }], ...rest });
const fast = { config: { configurable: { token_delay_ms: 0 } } };
const words = ({ messages }: UseStream): string[] => messages.map(({ content }) => text(content));

for (const [name, start] of Object.entries(servers)) {
  describe(`the platform's React hook on ${name}`, () => {
    let server: Compared;
    let page: HookPage;
    const mounted: Mounted[] = [];

    before(async () => {
      server = await start();
      page = await HookPage.open();
    });
    afterEach(() => mounted.splice(0).forEach((one) => one.unmount()));
    after(async () => {
      page.close();
      await server.stop();
    });

    const mount = (
      assistantId: string,
      options: object = {},
      reads?: (stream: UseStream) => unknown,
    ): Mounted => {
      const one = page.mount(server, { assistantId, ...options }, reads);
      mounted.push(one);
      return one;
    };
    const said = async (hook: Mounted, count: number) =>
      hook.until(`${count} messages`, (now) => !now.isLoading && now.messages.length === count);

    it("submits, and again on the same thread", async () => {
      const hook = mount("pipeline");
      await hook.until("the hook", ({ isLoading }) => !isLoading);
      await hook.now.submit(say("one"), fast);
      await said(hook, 9);
      await hook.now.submit(say("two"), fast);
      await said(hook, 18);
      assert.deepEqual([words(hook.now)[0], words(hook.now)[9]], ["one", "two"]);
      const state = await server.client.threads.getState(text(hook.threadId));
      assert.equal((state.values!.messages as unknown as Json[]).length, 18);
    });

    it("shows an answer also when nothing was looked at before it came", async () => {
      const hook = mount("pipeline", {}, () => undefined);
      await hook.until("the hook", () => true);
      await hook.now.submit(say("one"), fast);
      assert.equal(hook.now.messages.length, 9);
    });

    it("stops", async () => {
      const hook = mount("slow", { reconnectOnMount: true });
      await hook.until("the hook", ({ isLoading }) => !isLoading);
      void hook.now.submit(say("work", { seconds: 60 }));
      await hook.until("the run", ({ isLoading, messages }) => isLoading && messages.length > 0);
      await hook.now.stop();
      await hook.until("the end", ({ isLoading }) => !isLoading);
      const id = text(hook.threadId);
      const [run] = await server.client.runs.list(id);
      await server.client.runs.join(id, text(run?.run_id));
      assert.equal((await server.client.runs.get(id, text(run?.run_id))).status, "interrupted");
    });

    it("is asked, and resumes with decisions", async () => {
      const hook = mount("approval");
      await hook.until("the hook", ({ isLoading }) => !isLoading);
      await hook.now.submit(say("two things"), fast);
      await hook.until("the question", ({ interrupt, isLoading }) => interrupt !== undefined && !isLoading);
      const asked = hook.now.interrupt?.value?.action_requests as unknown as Json[];
      assert.equal(asked.length, 2);
      const decisions = [{ type: "approve" }, { type: "reject", message: "keep it" }];
      await hook.now.submit(null, { command: { resume: { decisions } }, ...fast });
      await said(hook, 5);
      assert.equal(hook.now.interrupt, undefined);
      const results = hook.now.messages.filter(({ type }) => text(type) === "tool");
      assert.deepEqual(
        results.map(({ status }) => status),
        ["success", "error"],
      );
    });

    it("finds a run again that went on while nobody looked", async () => {
      const options = { reconnectOnMount: true };
      const first = mount("slow", options);
      await first.until("the hook", ({ isLoading }) => !isLoading);
      void first.now.submit(say("work", { seconds: 1 }));
      await first.until("the run", ({ isLoading, messages }) => isLoading && messages.length > 0);
      const threadId = first.threadId;
      first.unmount();
      const again = mount("slow", { ...options, threadId });
      await again.until("the run that goes on", ({ isLoading }) => isLoading);
      await again.until("its end", (now) => !now.isLoading && now.messages.length === 2);
      const state = await server.client.threads.getState(text(threadId));
      assert.deepEqual(
        words(again.now),
        (state.values!.messages as unknown as Json[]).map(({ content }) => text(content)),
      );
    });

    it("edits the first message: it takes the place of the old one, which stays as a branch", async () => {
      const hook = mount("pipeline", {}, ({ messages, history, isLoading }) => [
        messages,
        history,
        isLoading,
      ]);
      await hook.until("the hook", ({ isLoading }) => !isLoading);
      await hook.now.submit(say("one"), fast);
      await hook.until(
        "the history",
        (now) => !now.isLoading && now.messages.length === 9 && now.history.length > 0,
      );
      const [message] = hook.now.messages;
      assert.ok(message);
      const seen = hook.now.getMessagesMetadata(message)?.firstSeenState;
      assert.ok(seen?.parent_checkpoint, "there is a checkpoint before the first message");
      await hook.now.submit(say("edited"), { checkpoint: seen.parent_checkpoint, ...fast });
      await hook.until("the edited thread", (now) => !now.isLoading && words(now)[0] === "edited");
      assert.equal(hook.now.messages.length, 9);
      await hook.until("both branches", ({ messages, getMessagesMetadata }) => {
        const options =
          messages[0] === undefined ? undefined : getMessagesMetadata(messages[0])?.branchOptions;
        return Array.isArray(options) && options.length === 2;
      });
    });
  });
}
