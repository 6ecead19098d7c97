import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Page } from "playwright-core";

import { ColorTheme, type Theme } from "./colorTheme.ts";
import { CommandPalette } from "./commandPalette.ts";
import { Dialog } from "./dialog.ts";
import { EditorTabs } from "./editorTabs.ts";
import { Keyboard, type Hands } from "./hands.ts";
import { Notifications } from "./notifications.ts";
import { QuickInput } from "./quickInput.ts";
import { RunPanel } from "./runPanel.ts";
import { SideBar } from "./sideBar.ts";
import { StatusBar } from "./statusBar.ts";

/** Where a platform is, and the key to it. */
export interface PlatformPlace {
  readonly baseUrl: string;
  readonly controlPlaneUrl: string;
  readonly apiKey: string;
}

/** The parts of the workbench, as a person sees them. */
export class WorkbenchPage {
  readonly page: Page;
  readonly palette: CommandPalette;
  readonly quickInput: QuickInput;
  readonly sideBar: SideBar;
  readonly tabs: EditorTabs;
  readonly runPanel: RunPanel;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  readonly statusBar: StatusBar;
  readonly theme: ColorTheme;

  /** Whoever sits before it uses the keyboard alone, unless told otherwise. */
  constructor(page: Page, hands: Hands = new Keyboard(page)) {
    this.page = page;
    this.palette = new CommandPalette(page);
    this.quickInput = new QuickInput(page);
    this.sideBar = new SideBar(page, hands);
    this.tabs = new EditorTabs(page);
    this.runPanel = new RunPanel(page);
    this.notifications = new Notifications(page, hands);
    this.dialog = new Dialog(page, hands);
    this.statusBar = new StatusBar(page, hands);
    this.theme = new ColorTheme(page);
  }

  /** Adds a connection to a platform, step by step. */
  async addPlatform({ baseUrl, controlPlaneUrl, apiKey }: PlatformPlace): Promise<void> {
    await this.addConnection("Platform", [baseUrl, controlPlaneUrl, "", "Platform", apiKey], "Platform");
  }

  /** Adds a connection of a kind; each answer goes into the next box. Waits until it stands in the side bar. */
  async addConnection(kind: string | RegExp, answers: readonly string[], name: string): Promise<void> {
    await this.palette.run("Agents: Add Connection…");
    await this.quickInput.choose(kind);
    for (const [step, answer] of answers.entries()) {
      await this.quickInput.titled(`(${String(step + 2)}/`);
      await this.quickInput.answer(answer);
    }
    await this.quickInput.choose(/Save/);
    await this.sideBar.deployments.row(name).waitFor();
  }

  /** Waits until the window and its panels have painted at a new size. */
  async laidOut(): Promise<void> {
    const painted = "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))";
    for (const frame of this.page.frames()) await frame.evaluate(painted);
  }

  /** Saves pictures of the window as it is, or in each of these themes, where `PICTURES` names a folder for them. */
  async look(name: string, themes: readonly Theme[] = []): Promise<void> {
    const folder = process.env["PICTURES"];
    if (folder === undefined) return;
    if (themes.length === 0) await this.picture(join(folder, `${name}.png`));
    for (const theme of themes) {
      await this.theme.use(theme);
      await this.picture(join(folder, `${name}-${theme}.png`));
    }
  }

  /** Saves a picture of the window with the pointer out of the way. */
  async picture(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await this.page.mouse.move(0, 0);
    await this.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  }
}
