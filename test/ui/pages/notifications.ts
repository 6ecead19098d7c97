import type { Locator, Page } from "playwright-core";

/** The messages in the corner. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
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
    await message.getByRole("button", { name: button, exact: true }).click();
    await message.waitFor({ state: "hidden" });
  }

  /** Waits for a message and closes it. */
  async close(text: string | RegExp): Promise<void> {
    const message = this.saying(text);
    await message.waitFor();
    await message.hover();
    await message.getByRole("button", { name: /^Clear Notification/ }).click();
    await message.waitFor({ state: "hidden" });
  }
}
