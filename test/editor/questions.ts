import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { until } from "./extensionUnderTest.ts";

/** The input boxes and lists that are shown while `work` runs, so that a test can type and choose. */
export async function sitting(work: (person: Typist) => Promise<void>): Promise<void> {
  const person = new Typist();
  const { createInputBox, createQuickPick } = vscode.window;
  const box = (): vscode.InputBox => person.shown(createInputBox.call(vscode.window));
  const pick = (): vscode.QuickPick<vscode.QuickPickItem> =>
    person.shown(createQuickPick.call(vscode.window));
  await replacing("createInputBox", box, () => replacing("createQuickPick", pick, () => work(person)));
}

/** Somebody who types into the input box in front. */
export class Typist {
  #inputs: vscode.QuickInput[] = [];

  shown<T extends vscode.QuickInput>(input: T): T {
    this.#inputs = [...this.#inputs, input];
    input.onDidHide(() => (this.#inputs = this.#inputs.filter((other) => other !== input)));
    return input;
  }

  /** The box in front, once there is one. */
  async box(): Promise<vscode.InputBox> {
    return until(
      "an input box is there",
      () => this.#inputs.findLast((input) => "password" in input) as vscode.InputBox | undefined,
    );
  }

  /** Types a text into the box in front and presses Enter. */
  async type(text: string): Promise<vscode.InputBox> {
    const box = await this.box();
    box.value = text;
    await pressEnter();
    return box;
  }

  /** Chooses the item with this label from the list in front. */
  async choose(label: string): Promise<void> {
    const pick = await until(
      `a list offers ${label}`,
      () =>
        this.#inputs.findLast((input) => "items" in input) as
          vscode.QuickPick<vscode.QuickPickItem> | undefined,
    );
    const item = pick.items.find((candidate) => candidate.label === label);
    assert(item, `the list has ${pick.items.map((candidate) => candidate.label).join(", ")}`);
    pick.activeItems = [item];
    await pressEnter();
  }
}

async function pressEnter(): Promise<void> {
  // The workbench learns of the value and the active item a moment after the extension host.
  await new Promise((resolve) => setTimeout(resolve, 250));
  await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
}

async function replacing(
  name: keyof typeof vscode.window,
  value: unknown,
  work: () => Thenable<unknown>,
): Promise<void> {
  const original = Object.getOwnPropertyDescriptor(vscode.window, name);
  Object.defineProperty(vscode.window, name, { ...original, value });
  try {
    await work();
  } finally {
    if (original !== undefined) Object.defineProperty(vscode.window, name, original);
  }
}
