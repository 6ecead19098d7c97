import type { FrameLocator, Locator, Page } from "playwright-core";

import { hasFocus, Keyboard, pressShortcut, type Hands, type Way } from "./hands.ts";
import { until } from "./waiting.ts";
import { RunPanel } from "./runPanel.ts";
import { Transcript } from "./transcript.ts";

const longRunMs = 180_000;

/** What is used of the page's elements; the tests' own code knows no DOM. */
interface Choice {
  readonly selectedOptions: readonly { readonly label: string }[];
}

/** The conversation in the run panel on show. */
export class Conversation {
  readonly transcript: Transcript;
  readonly #page: Page;
  readonly #keyboard: Keyboard;
  readonly #hands: Hands;

  constructor(page: Page, hands: Hands = new Keyboard(page)) {
    this.transcript = new Transcript(page);
    this.#page = page;
    this.#keyboard = new Keyboard(page);
    this.#hands = hands;
  }

  /** What runs, in the header's words: "Idle", "Streaming". */
  get sessionState(): Locator {
    return this.#frame.locator(".session-state");
  }

  /** Where the input of the next run is written. */
  get composer(): Locator {
    return this.#frame.locator(".composer-input");
  }

  /** Where a schema refuses what is written, and why. */
  get problems(): Locator {
    return this.#frame.locator(".problem-place");
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

  /** Leads to the end of the transcript, where that is not followed. */
  get jumpToLatest(): Locator {
    return this.#frame.getByRole("button", { name: /^Jump to Latest/ });
  }

  /** Waits until the conversation with this title is the one on show. */
  async titled(title: string | RegExp): Promise<void> {
    await this.#frame.getByRole("heading", { name: title, level: 1 }).waitFor();
  }

  /** Chooses the agent of the next run by typing its name into the box. */
  async chooseAgent(name: string): Promise<void> {
    const agents = this.#frame.getByLabel("Agent", { exact: true });
    await agents.waitFor();
    await until(`the agent ${name} can be chosen`, async () =>
      (await agents.locator("option").allInnerTexts()).includes(name),
    );
    await this.toComposer();
    await this.#keyboard.reach(agents);
    await this.#page.keyboard.type(name);
    const chosen = () => agents.evaluate((element: Choice) => element.selectedOptions[0]?.label);
    await until(`${name} is the chosen agent`, async () => (await chosen()) === name, 5000);
  }

  /** Asks for feedback under these keys in the next run. */
  async askForFeedback(keys: string): Promise<void> {
    const options = this.#frame.getByRole("button", { name: "Options" });
    await this.#press(options, "Tab");
    const field = this.#frame.getByLabel(/^Feedback keys/);
    await this.#hands.reach(field, "Shift+Tab");
    await this.#keyboard.write(field, keys);
    await this.#press(options, "Tab");
  }

  /** Puts the caret where the next input is written. */
  async toComposer(): Promise<void> {
    // An input that is a form has fields instead.
    const field = ".schema-form :is(input, textarea, select)";
    const written = this.#frame.locator(`:is(.composer-input, .input-form ${field})`).first();
    if (await hasFocus(written)) return;
    await pressShortcut(this.#page, "Agents: Focus Composer", () => hasFocus(written));
  }

  /** Writes a message and runs the chosen agent on it; `strategy` is asked for while a run goes on. */
  async say(text: string, strategy?: string): Promise<void> {
    await this.toComposer();
    await this.#page.keyboard.insertText(text);
    await this.#send(strategy);
  }

  /** Writes a message and presses Run, before which a person is asked. */
  async sayAfterQuestion(text: string): Promise<void> {
    await this.toComposer();
    await this.#page.keyboard.insertText(text);
    await this.#page.keyboard.press("Control+Enter");
  }

  /** Writes a whole input as JSON and runs the chosen agent on it. */
  async runJson(input: unknown, strategy?: string): Promise<void> {
    await this.writeJson(input);
    await this.#send(strategy);
  }

  /** Writes a whole input as JSON. */
  async writeJson(input: unknown): Promise<void> {
    await this.#press(this.#frame.getByRole("button", { name: "JSON", exact: true }), "Tab");
    await this.toComposer();
    // What the agent's schema suggests stands there already.
    await this.#page.keyboard.press("Control+A");
    await this.#page.keyboard.insertText(JSON.stringify(input));
  }

  /** Writes text, also to an agent that was given JSON before. */
  async writeText(text: string): Promise<void> {
    await this.#press(this.#frame.getByRole("button", { name: "Text", exact: true }), "Tab");
    await this.toComposer();
    await this.#page.keyboard.insertText(text);
  }

  /** Fills in a field of the input's form, which is shown for it. */
  async fillIn(name: string, text: string): Promise<void> {
    const field = this.#frame.locator(".schema-form").getByLabel(name).first();
    if (!(await field.isVisible()))
      await this.#press(this.#frame.getByRole("button", { name: "Form", exact: true }), "Tab");
    await this.toComposer();
    await this.#keyboard.reach(field);
    await this.#keyboard.write(field, text);
  }

  /** Waits until a field of the input's form holds a text. */
  async filledIn(name: string, text: string): Promise<void> {
    const field = this.#frame.locator(".schema-form").getByLabel(name).first();
    await until(`${name} is "${text}"`, async () => (await field.inputValue()) === text);
  }

  async #send(strategy: string | undefined): Promise<void> {
    if (strategy !== undefined) {
      const radios = this.#frame.getByRole("radio");
      await this.#keyboard.reach(radios.and(this.#frame.locator(":checked")));
      await this.#keyboard.reach(
        this.#frame.getByRole("radio", { name: new RegExp(`^${strategy}`) }),
        "ArrowDown",
      );
    }
    const [written, before] = [await this.composer.inputValue(), await this.runs.count()];
    await this.#page.keyboard.press("Control+Enter");
    // Afterwards the next input is suggested, or this one stays, to be changed.
    await until("the run was accepted", async () => {
      return (await this.composer.inputValue()) !== written || (await this.runs.count()) > before;
    });
  }

  /** Waits until nothing runs any more. */
  async idle(): Promise<void> {
    await this.#frame.locator(".session-state", { hasText: /Idle|Error/ }).waitFor({ timeout: longRunMs });
  }

  /** Waits until events come in. */
  async streaming(): Promise<void> {
    await this.#frame.locator(".session-state", { hasText: "Streaming" }).waitFor();
  }

  /** Waits until the agent is in the middle of its first answer, and has said these words. */
  async speaking(words = ""): Promise<void> {
    await this.streaming();
    const first = this.messages("ai").first();
    await until(`the agent says something: "${words}"`, async () => {
      const said = await first.innerText();
      return said.length > 20 && said.includes(words);
    });
  }

  /** Goes from the header to the question that waits. */
  async toQuestion(): Promise<void> {
    await this.#press(this.#frame.getByRole("button", { name: "Waiting for You" }), "Shift+Tab");
    await until("the question is in front", () =>
      hasFocus(this.#frame.locator("[data-row]").filter({ has: this.questions }).last()),
    );
  }

  /** Presses a button of the question on show; `place` counts the actions that are to be decided. */
  async decide(answer: string, place = 0): Promise<void> {
    const button = this.questions.last().getByRole("button", { name: answer, exact: true }).nth(place);
    await this.#press(button, "Shift+Tab");
  }

  /** Writes into a field of the question that was just opened by a decision. */
  async explain(field: string, text: string): Promise<void> {
    const box = this.questions.last().getByRole("textbox", { name: field });
    await this.toComposer();
    await this.#hands.reach(box, "Shift+Tab");
    await this.#keyboard.write(box, text);
  }

  /** Gives a thumb with a comment for a key of the last run. */
  async thumb(direction: "Good" | "Bad", key: string, comment: string): Promise<void> {
    const bar = this.feedback.last();
    await this.#press(bar.getByRole("button", { name: `${direction} (${key})` }), "Shift+Tab");
    await this.#hands.reach(bar.getByLabel(`Comment (${key})`), "Tab");
    await this.#page.keyboard.type(comment);
    await this.#page.keyboard.press("Enter");
  }

  /** Shows the conversation or the events as they were received. */
  async showTab(name: "Transcript" | "Graph" | "Events"): Promise<void> {
    const tab = this.#frame.getByRole("tab", { name: new RegExp(`^${name}`) });
    if ((await tab.getAttribute("aria-selected")) === "true") return;
    await this.toComposer();
    await this.#hands.reach(this.#frame.getByRole("tab", { selected: true }), "Shift+Tab");
    await this.#hands.press(tab, "ArrowRight");
  }

  /** Shows the timeline above the transcript, or hides it again. */
  async toggleTimeline(): Promise<void> {
    await this.#press(this.#frame.getByRole("button", { name: /^Timeline/ }), "Shift+Tab");
  }

  /** The graph of the thread's agent. */
  get graph(): Locator {
    return this.#frame.locator(".graph");
  }

  /** The timeline above the transcript. */
  get timeline(): Locator {
    return this.#frame.getByRole("region", { name: "Timeline" });
  }

  /** Searches the received events. */
  async searchEvents(text: string): Promise<void> {
    const box = this.#frame.getByRole("searchbox");
    await this.#hands.reach(box, "Tab");
    await this.#keyboard.write(box, text);
  }

  /** How many events are found, as it is said beside the search. */
  get eventsFound(): Locator {
    return this.#frame.getByRole("search").getByRole("status");
  }

  async #press(button: Locator, way: Way): Promise<void> {
    await this.toComposer();
    await this.#hands.press(button, way);
  }

  get #frame(): FrameLocator {
    return new RunPanel(this.#page).frame();
  }
}
