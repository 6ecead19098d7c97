import { deepEqual, equal } from "node:assert/strict";
import { until } from "../../../support/until.ts";
import "../fakeVscode.ts";

const vscode = (await import("vscode")) as unknown as { readonly window: Record<string, unknown> };
const { askChoice, askSeveral, askText } = await import("../../../../src/editor/kit/ask/questions.ts");
const { chooseByTyping } = await import("../../../../src/editor/kit/ask/typedChoice.ts");
const { chooseFromPages } = await import("../../../../src/editor/kit/ask/pagedChoice.ts");
const { rowItem } = await import("../../../../src/editor/kit/tree/rowItem.ts");

const hostile = "safe\u202egnp.sj\u0007\u2066 \u200bone";
const harmless = "safegnp.sj  one";

/** A list or an input box as the editor would show it, in which a person presses Enter once there is something. */
class Box {
  title = "";
  prompt = "";
  placeholder = "";
  value = "";
  busy = false;
  validationMessage: unknown;
  buttons: readonly unknown[] = [];
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  accept: () => void = () => undefined;
  readonly onDidAccept = (listener: () => void): object => {
    this.accept = listener;
    return { dispose: () => undefined };
  };
  readonly onDidHide = nothing;
  type: (text: string) => void = () => undefined;
  readonly onDidChangeValue = (listener: (text: string) => void): object => {
    this.type = (text) => {
      this.value = text;
      listener(text);
    };
    return { dispose: () => undefined };
  };
  readonly onDidTriggerButton = nothing;
  readonly onDidTriggerItemButton = nothing;
  show(): void {}
  hide(): void {}
  dispose(): void {}
}

interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

const nothing = (): object => ({ dispose: () => undefined });

describe("A list that is searched", () => {
  const { createQuickPick } = vscode.window;
  const agents = ["billing", "support", "support-eu"];
  let box: Box;

  beforeEach(() => {
    box = new Box();
    Object.assign(vscode.window, { createQuickPick: () => box });
  });
  after(() => void Object.assign(vscode.window, { createQuickPick }));

  const ask = async (): Promise<{ readonly answer: Promise<Row> }> => {
    const find = async (text: string): Promise<readonly Row[]> => {
      await Promise.resolve();
      const found = agents.filter((name) => name.includes(text));
      return found.map((label) => ({ label, description: "", detail: "" }));
    };
    const answer = chooseByTyping({ title: "", placeholder: "", find, id: ({ label }) => label });
    await until("the first rows are there", () => box.items.length === agents.length);
    return { answer };
  };
  const enter = (): void => {
    box.selectedItems = box.items.slice(0, 1);
    box.accept();
  };

  it("takes no row of another text by an Enter right after typing", async () => {
    const { answer } = await ask();
    box.type("support-eu");
    enter();
    await until("what was typed is found", () => box.items.length === 1);
    enter();
    equal((await answer).label, "support-eu");
  });

  it("takes the first row by an Enter right after typing where it answers that, too", async () => {
    const { answer } = await ask();
    box.type("bill");
    enter();
    equal((await answer).label, "billing");
  });
});

describe("A name that hides or turns what stands beside it", () => {
  const { createInputBox, createQuickPick } = vscode.window;
  let box: Box;

  beforeEach(() => {
    box = new Box();
    Object.assign(vscode.window, { createInputBox: () => box, createQuickPick: () => box });
  });
  after(() => void Object.assign(vscode.window, { createInputBox, createQuickPick }));

  const row = { label: hostile, description: hostile, detail: hostile, value: 1 };
  const heading = { title: hostile };
  const words = { placeholder: hostile };
  const lists: Readonly<Record<string, () => Promise<unknown>>> = {
    "a list": () => askChoice(heading, [row], words),
    "a list with ticks": () => askSeveral(heading, [row], words),
    "a list that is searched": () =>
      chooseByTyping({ ...heading, ...words, find: () => Promise.resolve([row]), id: () => "1" }),
    "a list that is read page by page": () =>
      chooseFromPages({
        ...{ ...heading, ...words, more: "More" },
        items: async function* () {
          yield await Promise.resolve(row);
        },
      }),
  };
  for (const [what, ask] of Object.entries(lists)) {
    it(`is harmless in ${what}`, async () => {
      const answer = ask();
      const [shown] = await until("the rows are there", () => (box.items.length > 0 ? box.items : undefined));
      box.selectedItems = box.items;
      box.accept();
      await answer;
      deepEqual([shown?.label, shown?.description, shown?.detail], [harmless, harmless, harmless]);
      deepEqual([box.title, box.placeholder], [harmless, harmless]);
    });
  }

  it("is harmless in an input box, also in what is said of the text", async () => {
    const question = { prompt: hostile, placeholder: hostile, warning: () => hostile };
    const answer = askText(heading, question);
    box.accept();
    await answer;
    deepEqual([box.title, box.prompt, box.placeholder], [harmless, harmless, harmless]);
    equal((box.validationMessage as { readonly message: string }).message, harmless);
  });

  it("is harmless in a row of a view", () => {
    const row = { label: hostile, description: hostile, tooltip: hostile };
    const { label, description, tooltip } = rowItem("1", row);
    deepEqual([label, description, tooltip], [harmless, harmless, harmless]);
  });
});
