import { setTimeout as pause } from "node:timers/promises";

import type { Locator, Page } from "playwright-core";

import { pressShortcut, type Hands } from "./hands.ts";

/** The editor shows three messages at most in so long, and no person answers faster. */
const spamMs = 800;

/** The messages in the corner. */
export class Notifications {
  readonly #page: Page;
  readonly #hands: Hands;

  constructor(page: Page, hands: Hands) {
    this.#page = page;
    this.#hands = hands;
  }

  /** The messages on show. */
  get all(): Locator {
    return this.#page.locator(".notifications-toasts .notification-toast:visible");
  }

  /** The first message that holds this text. */
  saying(text: string | RegExp): Locator {
    return this.all.filter({ hasText: text }).first();
  }

  /** What the messages on show say. */
  async texts(): Promise<string[]> {
    return this.all.locator(".notification-list-item-message").allInnerTexts();
  }

  /** Waits for a message and answers it with one of its buttons. */
  async answer(text: string | RegExp, button: string): Promise<void> {
    const message = this.saying(text);
    await message.waitFor();
    await pause(spamMs);
    await this.#focus();
    await this.#hands.press(message.getByRole("button", { name: button, exact: true }));
    await message.waitFor({ state: "hidden" });
  }

  /** Waits for a message, which is the newest, and clears it. */
  async clear(text: string | RegExp): Promise<void> {
    const message = this.saying(text);
    await message.waitFor();
    await this.#focus();
    await this.#page.keyboard.press("Delete");
    await message.waitFor({ state: "hidden" });
  }

  async #focus(): Promise<void> {
    const focused = this.#page.locator(".notifications-toasts :focus");
    await pressShortcut(this.#page, "Notifications: Focus Notification Toast", () => focused.isVisible());
  }
}
