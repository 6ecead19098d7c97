import type { Locator, Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import type { Hands } from "./hands.ts";
import { TreeView } from "./treeView.ts";

/** Our view container. */
export class SideBar {
  /** Connections, deployments and their threads. */
  readonly deployments: TreeView;
  /** What issue webhooks brought. */
  readonly issues: TreeView;
  /** Managed agents with their threads, tools and backend. */
  readonly agents: TreeView;
  /** What waits for a person. */
  readonly inbox: TreeView;
  /** What is broken anywhere. */
  readonly failures: TreeView;
  /** What takes a while. */
  readonly activity: TreeView;
  /** Tool servers and their tools. */
  readonly toolServers: TreeView;
  readonly #page: Page;

  constructor(page: Page, hands: Hands) {
    this.#page = page;
    this.deployments = new TreeView(page, hands, "Deployments");
    this.issues = new TreeView(page, hands, "Issues");
    this.agents = new TreeView(page, hands, "Agents");
    this.inbox = new TreeView(page, hands, "Inbox");
    this.failures = new TreeView(page, hands, "Failures");
    this.activity = new TreeView(page, hands, "Activity");
    this.toolServers = new TreeView(page, hands, "Tool Servers");
  }

  get #icon(): Locator {
    const label = this.#page.locator('a[aria-label^="Agents"]');
    return this.#page.locator(".part.activitybar .action-item").filter({ has: label });
  }

  /** Opens the container by its command. */
  async open(): Promise<void> {
    await new CommandPalette(this.#page).run("View: Show Agents");
    await this.shown();
  }

  /** Opens or closes one of the container's views. */
  async toggle(view: string): Promise<void> {
    await this.header(view).click();
  }

  /** Folds one of the container's views up. */
  async fold(view: string): Promise<void> {
    const header = this.header(view);
    await header.press("ArrowLeft");
    await header.and(this.#page.locator("[aria-expanded=false]")).waitFor();
  }

  /** The line above a view's rows. */
  header(view: string): Locator {
    return this.#page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`);
  }

  /** What stands beside a view's title. */
  async description(view: string): Promise<string> {
    return this.header(view).locator(".description").innerText();
  }

  /** The number on the container's icon; "" while there is none. */
  async iconNumber(): Promise<string> {
    const badge = this.#icon.locator(".badge-content");
    return (await badge.isVisible()) ? badge.innerText() : "";
  }

  /** What the icon says when it is hovered over or read aloud. */
  async iconName(): Promise<string> {
    return (await this.#icon.locator("a").first().getAttribute("aria-label")) ?? "";
  }

  /** Waits until the container is the one on show. */
  async shown(): Promise<void> {
    await this.#page.locator('.part.sidebar [id="workbench.view.extension.agentOperations"]').waitFor();
  }
}
