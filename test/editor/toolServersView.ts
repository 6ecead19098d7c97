import * as vscode from "vscode";
import type { ToolServerRef } from "../../src/editor/toolServers/authAttempts.ts";
import { LocalPlatform, text } from "../support/localPlatform.ts";
import { McpClient } from "../support/mcpClient.ts";
import { connectPlatform, drawRows, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

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
    const platform = await LocalPlatform.start();
    const { id } = await connectPlatform(extension, "Platform", platform);
    await vscode.commands.executeCommand("agentOperations.toolServers.focus");
    return new ToolServersView(extension, platform, id);
  }

  async remove(): Promise<void> {
    this.person[Symbol.dispose]();
    await tidyUp(this.extension);
    await this.platform.remove();
    this.person.done();
  }

  /** Connects by this key alone. */
  async useKey(key: string): Promise<void> {
    const { baseUrl, controlPlaneUrl } = this.platform.ready;
    await this.extension.apiKeys.set(this.connectionId, [baseUrl, controlPlaneUrl], key);
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
