import { equal } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bucketName, knownKey } from "../../support/objectStore.ts";
import type { ObjectStore } from "../../support/objectStore.ts";
import { until } from "./waiting.ts";
import type { WorkbenchPage } from "./workbenchPage.ts";

/** The questions about destinations and exports, answered by keyboard. */
export class DestinationSteps {
  readonly #window: WorkbenchPage;

  constructor(window: WorkbenchPage) {
    this.#window = window;
  }

  /** Describes a bucket of the store, up to the keys. */
  async describe(store: ObjectStore, name: string): Promise<void> {
    const { palette, quickInput } = this.#window;
    await palette.run("Agents: Create Destination…");
    await quickInput.choose(/S3-compatible store/);
    await this.answer("(2/9)", store.url);
    await this.answer("(3/9)", bucketName);
    await quickInput.titled("(4/9)");
    await quickInput.choose("Yes");
    await quickInput.titled("(5/9)");
    await quickInput.choose("auto");
    await this.answer("(6/9)", "team/traces");
    await this.answer("(7/9)", name);
  }

  /** Types the key's id and this secret into password boxes. */
  async typeKeys(secret: string): Promise<void> {
    const { quickInput } = this.#window;
    await quickInput.choose(/Type them/);
    for (const [prompt, text] of [
      [/Access key ID/, knownKey.access_key_id],
      [/Secret access key/, secret],
      [/Session token/, ""],
    ] as const) {
      await until("the next key is asked for", async () => prompt.test(await quickInput.message()));
      equal(await quickInput.field.getAttribute("type"), "password");
      await quickInput.answer(text);
    }
  }

  /** Exports the sample deployment's traces since then, once. */
  async export(destination: string, since: string): Promise<void> {
    const { palette, quickInput } = this.#window;
    await palette.run("Agents: Export Traces…");
    await quickInput.titled("Export Traces");
    await quickInput.choose(destination);
    await quickInput.choose(/sample$/);
    await quickInput.choose(/Once/);
    await quickInput.choose(since);
    await this.answer("(4/5)", "");
    await quickInput.choose(/Export/);
  }

  /** Puts what was exported into a folder of the workspace, as one would who fetched it, and opens it as a table. */
  async openTable(store: ObjectStore, folder: string): Promise<void> {
    const { palette, quickInput, runPanel } = this.#window;
    const [key = ""] = (await store.keys()).filter((name) => name.endsWith(".parquet"));
    await writeFile(join(folder, "spans.parquet"), await store.read(key));
    await palette.run("Go to File...");
    await quickInput.type("spans.parquet");
    await quickInput.choose("spans.parquet");
    await runPanel.frame().locator("#cell-0-0 .value").waitFor();
  }

  /** Answers the question of a step. */
  async answer(step: string, text: string): Promise<void> {
    await this.#window.quickInput.titled(step);
    await this.#window.quickInput.answer(text);
  }
}
