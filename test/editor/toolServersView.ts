import * as vscode from "vscode";
import type { ToolServerRef } from "../../src/editor/toolServers/authAttempts.ts";
import { LocalPlatform, text } from "../support/localPlatform.ts";
import { McpClient } from "../support/mcpClient.ts";
import { connectPlatform, drawRows, setKey, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

/** Has the view for each test; what a person was to do there has been done when the test passed. */
export function useToolServersView(given: (view: ToolServersView) => void): void {
  let view: ToolServersView;
  beforeEach(async () => {
    view = await ToolServersView.open();
    given(view);
  });
  afterEach(async function () {
    await view.remove();
    if (this.currentTest?.state === "passed") view.person.done();
  });
}

/** The Tool Servers view before a person, with a platform of its own that the extension is connected to. */
export class ToolServersView {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
  readonly client: McpClient;
  readonly person = new Person();
  connectionId: string;

  private constructor(extension: Extension, platform: LocalPlatform, connectionId: string) {
    this.extension = extension;
    this.platform = platform;
    this.client = new McpClient(platform);
    this.connectionId = connectionId;
  }

  static async open(): Promise<ToolServersView> {
    const extension = await theExtension();
    await tidyUp(extension);
    extension.toolServers.clearPicks();
    const platform = await LocalPlatform.start();
    const { id } = await connectPlatform(extension, "Platform", platform);
    await vscode.commands.executeCommand("agentOperations.toolServers.focus");
    return new ToolServersView(extension, platform, id);
  }

  async remove(): Promise<void> {
    this.person[Symbol.dispose]();
    await tidyUp(this.extension);
    await this.platform.remove();
  }

  /** Connects by this key alone. */
  async useKey(key: string): Promise<void> {
    const { baseUrl, controlPlaneUrl } = this.platform.ready;
    await setKey(this.extension, this.connectionId, [baseUrl, controlPlaneUrl], key);
  }

  async run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }

  /** The view as text. */
  async rows(): Promise<string[]> {
    return drawRows(this.extension.views.toolServers.platform.nodes);
  }

  /** Waits for a row. */
  async shown(line: string): Promise<void> {
    await until(`the row "${line}" is shown`, async () =>
      (await this.rows()).some((row) => row.trim() === line),
    );
  }

  ref(id: unknown): ToolServerRef {
    return { connectionId: this.connectionId, toolServerId: text(id) };
  }

  /** The tool servers as the platform has them. */
  async listed(): Promise<readonly Record<string, unknown>[]> {
    return (await this.client.get("/mcp-servers")) as unknown as readonly Record<string, unknown>[];
  }
}
