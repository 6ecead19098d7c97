/** Which thread each panel shows, kept over window reloads; nothing of a conversation is. */

import type { ThreadPlace } from "../connections/connection.ts";
import { KeptList } from "../kit/keptList.ts";
import type { Memory } from "../kit/keptList.ts";

const mostPanels = 100;

/** The threads of this window's panels, by panel. */
export class PanelPlaces {
  readonly #kept: KeptList<readonly [panelId: string, ThreadPlace]>;

  constructor(memory: Memory) {
    this.#kept = new KeptList(memory, "runPanel.places", ([panelId]) => panelId, mostPanels);
  }

  get(panelId: string): ThreadPlace | undefined {
    return this.#kept.get(panelId)?.[1];
  }

  /** Keeps the place of a panel; those of the panels that were kept longest ago are forgotten. */
  keep(panelId: string, { connectionId, serverId, threadId, testRun }: ThreadPlace): void {
    const kept = this.get(panelId);
    if (kept !== undefined && kept.threadId === threadId) return;
    void this.#kept.keep([panelId, { connectionId, serverId, threadId, testRun }]);
  }
}
