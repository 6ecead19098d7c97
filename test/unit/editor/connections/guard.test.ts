import { deepEqual, equal, match, rejects } from "node:assert/strict";
import type { ConnectionSetting, Strictness } from "../../../../src/editor/connections/connection.ts";
import { ConnectionError } from "../../../../src/editor/connections/connectionSettings.ts";
import type { GuardedAct } from "../../../../src/editor/connections/guard.ts";
import { editor } from "../fakeVscode.ts";

const { act, admit, agreedTo, approve, confirmAct, confirmOnEach, confirmTogether } =
  await import("../../../../src/editor/connections/guard.ts");
const { NotPossibleError } = await import("../../../../src/editor/kit/remedies.ts");

const change = { method: "DELETE", url: "https://agents.test/threads/1" } as const;
const deletion: GuardedAct = {
  name: "crown-jewels",
  question: "Delete “crown-jewels”?",
  detail: "It is gone then.",
  verb: "Delete",
  always: false,
};

function connection(strictness?: Strictness, more: Partial<ConnectionSetting> = {}): ConnectionSetting {
  const base = { id: "p", name: "Production", kind: "platform", url: "https://agents.test" } as const;
  return { ...base, ...(strictness !== undefined && { protected: strictness }), ...more };
}

describe("The guard of a protected connection", () => {
  beforeEach(() => {
    for (const list of [editor.asked, editor.replies, editor.confirmations, editor.pressed]) list.length = 0;
  });

  it("asks for a word before a change that nobody was asked about", async () => {
    editor.replies.push("Production");
    await act("Rename Thread", () => admit(() => connection("word"), change));
    const [question] = editor.asked.map(({ title, prompt }) => `${title} ${prompt}`);
    match(
      question ?? "",
      /^Production: Rename Thread\? DELETE \/threads\/1.*“Production” is protected: type Production/,
    );
  });

  it("asks for a click where that is enough, and names the connection", async () => {
    editor.pressed.push("Rename Thread");
    await act("Rename Thread", () => admit(() => connection("click"), change));
    match(editor.confirmations.join(), /Rename Thread\?.*“Production” is protected/s);
    deepEqual(editor.asked, []);
  });

  it("asks once about several connections, and then for the word of each that wants one", async () => {
    const staging = connection(undefined, { id: "s", name: "Staging", url: "https://staging.test" });
    const strict = connection("word");
    editor.pressed.push("Delete");
    editor.replies.push("crown-jewels");
    await act("Delete Threads", async () => {
      await confirmTogether([staging, strict, staging], deletion);
      await admit(() => strict, change);
    });
    deepEqual(editor.confirmations, ["Delete “crown-jewels”?\nIt is gone then.\n\nProtected: “Production”."]);
    deepEqual(
      editor.asked.map(({ title }) => title),
      ["Production: Delete “crown-jewels”?"],
    );
  });

  it("asks nothing more of several connections that want a click", async () => {
    const staging = connection("click", { id: "s", name: "Staging" });
    editor.pressed.push("Delete");
    await act("Delete Threads", async () => {
      await confirmTogether([staging, connection("click")], deletion);
      await admit(() => staging, change);
      await admit(() => connection("click"), change);
      deepEqual([agreedTo("s"), agreedTo("p")], [deletion.question, deletion.question]);
    });
    equal(editor.confirmations.length, 1);
  });

  it("asks on each protected connection by itself, and once about all others, naming them", async () => {
    const others = ["Staging", "Dev", "Staging"].map((name) => connection(undefined, { id: name, name }));
    editor.pressed.push("Delete", "Delete");
    await confirmOnEach([...others, connection("click")], { ...deletion, always: true });
    const [first = "", second = "", ...more] = editor.confirmations;
    match(first, /Delete “crown-jewels”\?.*“Production” is protected/s);
    match(second, /Delete “crown-jewels”\?.*This is done on “Staging”, “Dev”\./s);
    deepEqual(more, []);
  });

  it("names the connection also where nothing is protected, for what always asks", async () => {
    editor.pressed.push("Delete");
    await confirmAct(connection(undefined, { name: "Staging" }), { ...deletion, always: true });
    deepEqual(editor.confirmations, [
      "Delete “crown-jewels”?\nIt is gone then.\n\nThis is done on “Staging”.",
    ]);
  });

  it("asks nothing where nothing is wanted, also beside an action", async () => {
    await admit(() => connection(), change);
    await admit(() => connection("nothing"), change);
    deepEqual([editor.asked, editor.confirmations], [[], []]);
  });

  it("lets nothing leave that a person does not want, however often it is tried within the action", async () => {
    await act("Delete Threads", async () => {
      const attempts = [1, 2, 3].map(() => admit(() => connection("word"), change));
      const answers = await Promise.allSettled(attempts);
      deepEqual(
        answers.map(({ status }) => status),
        ["rejected", "rejected", "rejected"],
      );
    });
    equal(editor.asked.length, 1);
  });

  it("asks once for all that an action changes, and anew in the next one", async () => {
    editor.replies.push("crown-jewels", "crown-jewels");
    const deletes = (): Promise<void> =>
      act("Delete Deployment", async () => {
        await confirmAct(connection("word"), deletion);
        await admit(() => connection("word"), change);
        await admit(() => connection("word"), change);
      });
    await deletes();
    equal(editor.asked.length, 1);
    await deletes();
    equal(editor.asked.length, 2);
  });

  it("takes an answer about one connection for no other", async () => {
    editor.replies.push("crown-jewels");
    await act("Delete Deployment", async () => {
      await confirmAct(connection("word"), deletion);
      await rejects(admit(() => connection("word", { id: "q", name: "Other" }), change));
    });
    equal(editor.asked[1]?.title, "Other: Delete Deployment?");
  });

  it("refuses what no action asked for, and what goes on after its action", async () => {
    await rejects(
      admit(() => connection("click"), change),
      NotPossibleError,
    );
    let later: Promise<void> | undefined;
    let go = (): void => undefined;
    const gone = new Promise<void>((resolve) => (go = resolve));
    await act("Save", async () => {
      approve(connection("click"));
      later = gone.then(() => admit(() => connection("click"), change));
      await Promise.resolve();
    });
    go();
    await rejects(later ?? Promise.resolve(), NotPossibleError);
  });

  it("asks again when the connection became stricter meanwhile", async () => {
    editor.pressed.push("Delete");
    editor.replies.push("Production");
    await act("Delete Thread", async () => {
      await confirmAct(connection("click"), deletion);
      await admit(() => connection("word"), change);
    });
    equal(editor.asked.length, 1);
  });

  it("asks when the connection was marked after the command had begun", async () => {
    await act("Delete Thread", async () => {
      await confirmAct(connection(), deletion);
      await rejects(admit(() => connection("word"), change));
    });
    equal(editor.asked.length, 1);
  });

  it("holds to a refusal although the mark was taken away while it asked", async () => {
    let now = connection("word");
    await act("Delete Thread", async () => {
      const deleting = confirmAct(now, deletion).then(() => admit(() => now, change));
      now = connection();
      await rejects(deleting);
    });
  });

  it("sends nothing to a connection that was removed or went elsewhere while it asked", async () => {
    const gone = new ConnectionError("unknown", "There is no connection “p” any more.", "");
    for (const after of [
      (): ConnectionSetting => {
        throw gone;
      },
      () => connection("word", { url: "https://elsewhere.test" }),
    ]) {
      editor.replies.push("Production");
      let reads = 0;
      const read = (): ConnectionSetting => (reads++ === 0 ? connection("word") : after());
      await rejects(act("Delete Thread", () => admit(read, change)));
    }
    equal(editor.asked.length, 2);
  });

  it("goes on with a connection that was only renamed while it asked", async () => {
    editor.replies.push("Production");
    let reads = 0;
    const read = (): ConnectionSetting =>
      connection("word", reads++ === 0 ? {} : { name: "Production (old)" });
    await act("Delete Thread", () => admit(read, change));
  });

  it("asks for no more than a click where something can't wait", async () => {
    editor.pressed.push("Stop");
    await act("Stop Run", async () => {
      await confirmAct(connection("word"), {
        question: "Stop?",
        verb: "Stop",
        always: false,
        isUrgent: true,
      });
      await admit(() => connection("word"), change);
    });
    deepEqual(editor.asked, []);
  });

  it("asks for the connection's name in place of one that is not what it looks like", async () => {
    editor.replies.push("Production");
    await act("Delete", () => confirmAct(connection("word"), { ...deletion, name: "safe\u202egnp.sj" }));
    match(editor.asked[0]?.prompt ?? "", /type Production and/);
  });

  it("shows names without what turns the writing around", async () => {
    const question = "Delete “a\u202eb\u0007\u2066c”?";
    editor.pressed.push("Delete");
    await act("Delete", () => confirmAct(connection("click"), { ...deletion, question, detail: "x\u202ey" }));
    equal(editor.confirmations[0], "Production: Delete “ab c”?\nxy\n\n“Production” is protected.");
    await rejects(act("Delete", () => confirmAct(connection("word"), { ...deletion, question })));
    equal(editor.asked[0]?.title, "Production: Delete “ab c”?");
  });
});
