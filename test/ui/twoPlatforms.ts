import type { WorkbenchOptions } from "../host/openEditor.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import type { WorkbenchPage } from "./pages/workbenchPage.ts";

/** Two platforms, connected by the settings under these names; the second one is protected. */
export class TwoPlatforms {
  readonly staging: LocalPlatform;
  readonly production: LocalPlatform;

  private constructor(staging: LocalPlatform, production: LocalPlatform) {
    this.staging = staging;
    this.production = production;
  }

  static async start(): Promise<TwoPlatforms> {
    return new TwoPlatforms(...(await Promise.all([LocalPlatform.start(), LocalPlatform.start()])));
  }

  /** The settings of a window in which both are connected, before it knows their keys. */
  settings(strictness: "word" | "click"): NonNullable<WorkbenchOptions["settings"]> {
    const entry = (id: string, name: string, { ready }: LocalPlatform): object => {
      const { baseUrl: url, controlPlaneUrl, workspaceId } = ready;
      return { id, name, kind: "platform", url, controlPlaneUrl, workspaceId };
    };
    return {
      "agentOperations.connections": [
        { ...entry("staging", "Staging", this.staging), color: "blue" },
        { ...entry("production", "Production", this.production), protected: strictness },
      ],
    };
  }

  /** Enters the keys of both. */
  async enterKeys(window: WorkbenchPage): Promise<void> {
    for (const [name, { ready }] of [
      ["Staging", this.staging],
      ["Production", this.production],
    ] as const) {
      await window.palette.run("Agents: Set API Key…");
      await window.quickInput.choose(name);
      await window.quickInput.titled(`API key of “${name}”`);
      await window.quickInput.answer(ready.apiKey);
      await window.quickInput.root.waitFor({ state: "hidden" });
    }
  }

  async remove(): Promise<void> {
    await Promise.all([this.staging.remove(), this.production.remove()]);
  }
}
