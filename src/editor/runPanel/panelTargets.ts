/** Which thread each panel shows, kept over window reloads; nothing of a conversation is. */

import type { ThreadTarget } from "../connections/connection.ts";
import { connectedServerIn, serverText } from "../connections/serverRef.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";

const mostPanels = 100;

/** A target as it is kept. */
interface KeptTarget extends Pick<ThreadTarget, "connectionId" | "threadId" | "testRun" | "assistantId"> {
  readonly serverId: string;
}

/** The threads of this window's panels, by panel. */
export class PanelTargets {
  readonly #kept: KeptList<readonly [panelId: string, KeptTarget]>;

  constructor(memory: Memory) {
    this.#kept = new KeptList(memory, "runPanel.places", ([panelId]) => panelId, mostPanels);
  }

  get(panelId: string): ThreadTarget | undefined {
    const kept = this.#kept.get(panelId)?.[1];
    const server = connectedServerIn(kept);
    return (
      server && {
        ...server,
        threadId: kept?.threadId,
        testRun: kept?.testRun,
        assistantId: kept?.assistantId,
      }
    );
  }

  /** Keeps the target of a panel; those of the panels that were kept longest ago are forgotten. */
  keep(panelId: string, target: ThreadTarget): void {
    const { connectionId, server, threadId, testRun, assistantId } = target;
    const kept = this.get(panelId);
    if (kept !== undefined && kept.threadId === threadId) return;
    void this.#kept.keep([
      panelId,
      { connectionId, serverId: serverText(server), threadId, testRun, assistantId },
    ]);
  }
}
