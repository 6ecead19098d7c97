/** A real window with one agent server, whose new thread stands ready for a run of the benchmark. */

import type { Frame } from "playwright-core";
import { closeEditors } from "../host/openEditor.ts";
import { Workbench } from "../host/workbench.ts";
import { Conversation } from "../ui/pages/conversation.ts";
import { WorkbenchPage } from "../ui/pages/workbenchPage.ts";

export interface BenchedWindow {
  readonly conversation: Conversation;
  /** The editor server's process, which leads the group of all its processes. */
  readonly pid: number;
  /** Opens another new thread, in a panel of its own. */
  newThread(): Promise<void>;
  /** The run panel's document. */
  frame(): Promise<Frame>;
  close(): Promise<void>;
}

/** Opens the packaged extension in the web server build, its page in a browser. */
export async function openBenchedWindow(url: string): Promise<BenchedWindow> {
  const connection = { id: "bench", name: "Bench", kind: "agentServer", url };
  const workbench = new Workbench({
    settings: { "agentOperations.connections": [connection] },
    size: { width: 1280, height: 800 },
  });
  const close = async (): Promise<void> => {
    await workbench.close();
    await closeEditors();
  };
  try {
    await workbench.open();
    const window = new WorkbenchPage(workbench.page);
    const conversation = new Conversation(workbench.page);
    await window.sideBar.open();
    const newThread = async (): Promise<void> => {
      await window.palette.run("Agents: New Thread…");
      await conversation.titled("New thread");
      await conversation.chooseAgent("flood");
    };
    await newThread();
    return { conversation, newThread, pid: workbench.pid, frame: () => documentOf(window), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function documentOf(window: WorkbenchPage): Promise<Frame> {
  const handle = await window.runPanel.frame().locator("body").elementHandle();
  const frame = await handle.ownerFrame();
  if (frame === null) throw new Error("The run panel has no document.");
  return frame;
}
