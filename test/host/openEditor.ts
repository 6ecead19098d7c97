import { join } from "node:path";

import type { BrowserContext, Page } from "playwright-core";

import { endProcess, listProcesses, processesBelow } from "../../src/editor/kit/nodeProcess.ts";
import { until } from "../support/until.ts";
import { type EditorServer, startCodeServer } from "./editorServer.ts";
import { closePackagedEditor, packagedEditor } from "./packagedEditor.ts";
import { emptyProfile, fillProfile, type Profile, removeProfile, throwawayProfile } from "./profile.ts";

/** What a suite of tests wants its workbench to be like. */
export interface WorkbenchOptions {
  /** User settings over the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Window size in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Device pixels per CSS pixel. */
  readonly scale?: number;
}

/** An editor's server with a profile of its own, and what the browser keeps for it. */
interface Editor {
  readonly profile: Profile;
  readonly server: EditorServer;
  readonly context: BrowserContext;
  readonly scale: number;
}

/** One with a window, which shows nothing yet. */
export interface OpenEditor extends Editor {
  readonly page: Page;
}

/** The editor that was left last: to start another server takes a quarter of what a window needs. */
let left: Editor | undefined;
const endsWithinMs = 10_000;

/** Takes the editor that was left, or starts one; its profile is a new one. */
export async function openEditor(options: WorkbenchOptions): Promise<OpenEditor> {
  const { settings, size = { width: 1280, height: 800 }, scale = 1 } = options;
  if (left?.scale !== scale) await endLeft();
  const editor = left ?? (await startEditor(scale));
  left = undefined;
  await fillProfile(editor.profile, settings);
  const page = await editor.context.newPage();
  await page.setViewportSize(size);
  return { ...editor, page };
}

/** Leaves an editor for the next tests, with nothing of what these did in it; ends it where that can't be had soon. */
export async function leaveEditor(editor: Editor): Promise<void> {
  const { context, server, profile } = editor;
  // A page that is closed at once does not tell its server that it goes; one with unsaved texts asks before.
  for (const one of context.pages()) {
    one.on("dialog", (dialog) => void dialog.accept());
    await one.goto("about:blank");
  }
  // Those of a window that was cut off wait for it to come back.
  if (!(await extensionsEnd(server.pid))) return endEditor(editor);
  const session = await context.newCDPSession(await context.newPage());
  await session.send("Storage.clearDataForOrigin", { origin: server.baseUrl, storageTypes: "all" });
  for (const one of context.pages()) await one.close();
  // The Local Platform outlives its window for a while, which may be reloaded.
  const kept = join(profile.userData, "User");
  for (const { pid, command } of await listProcesses()) if (command.includes(kept)) await endProcess(pid);
  await emptyProfile(profile);
  await endLeft();
  left = editor;
}

/** Ends the editor that was left, and what all of them share. */
export async function closeEditors(): Promise<void> {
  await endLeft();
  await closePackagedEditor();
}

/** Ends an editor's server and its windows, and removes its profile. */
export async function endEditor({ context, server, profile }: Editor): Promise<void> {
  await context.close();
  await server.stop();
  await removeProfile(profile);
}

async function extensionsEnd(pid: number): Promise<boolean> {
  const ended = async (): Promise<boolean> => {
    const all = processesBelow(await listProcesses(), pid);
    return !all.some(({ command }) => command.includes("--type=extensionHost"));
  };
  return until("the extensions have ended", ended, endsWithinMs).catch(() => false);
}

async function endLeft(): Promise<void> {
  const last = left;
  left = undefined;
  if (last !== undefined) await endEditor(last);
}

async function startEditor(scale: number): Promise<Editor> {
  const { host, browser, extensions, builtIn } = await packagedEditor();
  const profile: Profile = { ...(await throwawayProfile()), extensions, builtIn };
  const server = await startCodeServer(host, profile);
  const context = await browser.newContext({
    deviceScaleFactor: scale,
    permissions: ["clipboard-read", "clipboard-write"],
    // The server would compress the whole editor for each window.
    extraHTTPHeaders: { "accept-encoding": "identity" },
  });
  context.setDefaultTimeout(90_000);
  return { profile, server, context, scale };
}
