import { setTimeout as delay } from "node:timers/promises";

import type { FrameLocator, Locator, Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import { until } from "./patience.ts";
import { RunPanel } from "./runPanel.ts";

const longRunMs = 60_000;

/** What is used of the page's elements; the tests' own code knows no DOM. */
interface Readable {
  readonly textContent: string;
  readonly scrollTop: number;
  readonly selectedOptions: readonly { readonly label: string }[];
  readonly ownerDocument: { readonly activeElement: unknown };
  cloneNode(deep: boolean): Readable;
  getAttribute(name: string): string;
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
}

/** The conversation in the run panel on show, worked with by keyboard. */
export class Conversation {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** What runs, in the header's words: "Idle", "Streaming". */
  get activity(): Locator {
    return this.#frame.locator(".activity");
  }

  /** Where the input of the next run is written. */
  get composer(): Locator {
    return this.#frame.locator(".composer-input");
  }

  /** What there is to decide or to answer. */
  get questions(): Locator {
    return this.#frame.getByRole("group", { name: "The run waits for your answer" });
  }

  /** The thumbs of the runs. */
  get feedback(): Locator {
    return this.#frame.getByRole("group", { name: "Feedback on this run" });
  }

  /** The subagents that the runs' headings name. */
  get subagents(): Locator {
    return this.#frame.locator(".chips .chip");
  }

  /** The headings of subagents' lanes on show. */
  get lanes(): Locator {
    return this.#frame.locator(".lane");
  }

  /** The tool calls on show with this name. */
  tool(name: string): Locator {
    return this.#frame.locator(".card.tool").filter({ has: this.#frame.getByText(name, { exact: true }) });
  }

  /** The messages on show of one role. */
  messages(role: "human" | "ai" | "other"): Locator {
    return this.#frame.locator(`article.message.role-${role}`);
  }

  /** The headings of runs on show. */
  get runs(): Locator {
    return this.#frame.locator(".run");
  }

  /** Waits until the conversation with this title is the one on show. */
  async titled(title: string | RegExp): Promise<void> {
    await this.#frame.getByRole("heading", { name: title, level: 1 }).waitFor();
  }

  /** Everything of the transcript, row by row from the top, without what tells the time. */
  async text(): Promise<string[]> {
    await this.toStart();
    const seen = new Map<string, string>();
    for (let known = -1; known < seen.size;) {
      known = seen.size;
      for (let presses = 0; presses < 4; presses += 1) {
        for (const [id, text] of await this.#rows()) seen.set(id, text);
        await this.#page.keyboard.press("PageDown");
        await delay(100);
      }
    }
    return [...seen.values()].filter((row) => row !== "");
  }

  /** The rows on show, each by its id; the list holds only what is in sight. */
  async #rows(): Promise<[string, string][]> {
    return this.#frame.locator("[data-row]").evaluateAll((elements: Readable[]) =>
      elements.map((element) => {
        const copy = element.cloneNode(true);
        for (const fact of copy.querySelectorAll(".fact")) fact.remove();
        return [element.getAttribute("data-row"), copy.textContent.replace(/\s+/g, " ").trim()];
      }),
    );
  }

  /** Chooses the agent of the next run by typing its name into the box. */
  async chooseAgent(name: string): Promise<void> {
    const agents = this.#frame.getByLabel("Agent", { exact: true });
    await agents.waitFor();
    await until(`the agent ${name} can be chosen`, async () =>
      (await agents.locator("option").allInnerTexts()).includes(name),
    );
    await agents.focus();
    await this.#page.keyboard.type(name);
    const chosen = () => agents.evaluate((element: Readable) => element.selectedOptions[0]?.label);
    await until(`${name} is the chosen agent`, async () => (await chosen()) === name, 5000);
  }

  /** Asks for feedback under these keys in the next run. */
  async askForFeedback(keys: string): Promise<void> {
    const options = this.#frame.getByRole("button", { name: "Options" });
    if ((await options.getAttribute("aria-expanded")) !== "true") await this.#press(options);
    const field = this.#frame.getByLabel(/^Feedback keys/);
    await field.fill(keys);
    await this.#press(options);
  }

  /** Writes a message and runs the chosen agent on it; `strategy` is asked for while a run goes on. */
  async say(text: string, strategy?: string): Promise<void> {
    await new CommandPalette(this.#page).run("Agents: Focus Composer");
    await until("the composer has the focus", () =>
      this.composer.evaluate((element: Readable) => element === element.ownerDocument.activeElement),
    );
    await this.#page.keyboard.insertText(text);
    await this.#send(strategy);
  }

  /** Writes a whole input as JSON and runs the chosen agent on it. */
  async runJson(input: unknown, strategy?: string): Promise<void> {
    await this.#press(this.#frame.getByRole("button", { name: "JSON", exact: true }));
    await this.composer.focus();
    await this.#page.keyboard.insertText(JSON.stringify(input));
    await this.#send(strategy);
  }

  async #send(strategy: string | undefined): Promise<void> {
    if (strategy !== undefined) {
      const choice = this.#frame.getByRole("radio", { name: new RegExp(`^${strategy}`) });
      await choice.waitFor();
      await choice.focus();
      await this.#page.keyboard.press("Space");
    }
    await this.#page.keyboard.press("Control+Enter");
    await until("the run was accepted", async () => (await this.composer.inputValue()) === "");
  }

  /** Waits until nothing runs any more. */
  async idle(): Promise<void> {
    await this.#frame.locator(".activity", { hasText: "Idle" }).waitFor({ timeout: longRunMs });
  }

  /** Waits until events come in. */
  async streaming(): Promise<void> {
    await this.#frame.locator(".activity", { hasText: "Streaming" }).waitFor();
  }

  /** Presses a button of the question on show; `place` counts the actions that are to be decided. */
  async decide(answer: string, place = 0): Promise<void> {
    await this.#press(this.questions.last().getByRole("button", { name: answer, exact: true }).nth(place));
  }

  /** Gives a thumb with a comment for a key of the last run. */
  async thumb(direction: "Good" | "Bad", key: string, comment: string): Promise<void> {
    const bar = this.feedback.last();
    await this.#press(bar.getByRole("button", { name: `${direction} (${key})` }));
    await bar.getByLabel(`Comment (${key})`).focus();
    await this.#page.keyboard.type(comment);
    await this.#page.keyboard.press("Enter");
  }

  /** Goes to the start of the transcript, also when it was about to follow its end. */
  async toStart(): Promise<void> {
    const transcript = this.#frame.getByRole("region", { name: "Transcript" });
    await until("the start of the transcript is in sight", async () => {
      await transcript.focus();
      await this.#page.keyboard.press("Home");
      await delay(200);
      return (await transcript.evaluate((element: Readable) => element.scrollTop)) === 0;
    });
  }

  /** Goes to the end of the transcript. */
  async toEnd(): Promise<void> {
    await this.#frame.getByRole("region", { name: "Transcript" }).focus();
    await this.#page.keyboard.press("End");
  }

  async #press(button: Locator): Promise<void> {
    await button.focus();
    await this.#page.keyboard.press("Enter");
  }

  get #frame(): FrameLocator {
    return new RunPanel(this.#page).frame();
  }
}
