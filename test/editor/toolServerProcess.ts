import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How the tool server is to behave. */
export interface ToolServerOptions {
  readonly port?: number;
  /** It stands behind the official SDK's authorization. */
  readonly oauth?: boolean;
  /** Its authorization server says no. */
  readonly denies?: boolean;
  /** Seconds until an access token ends. */
  readonly lifetime?: number;
}

/** The reference tool server, in a process of its own: it reads files beside itself and can't be bundled. */
export class ToolServerProcess {
  readonly url: string;
  readonly #child: ChildProcessWithoutNullStreams;

  private constructor(url: string, child: ChildProcessWithoutNullStreams) {
    this.url = url;
    this.#child = child;
  }

  static async start(options: ToolServerOptions = {}): Promise<ToolServerProcess> {
    const { port = 0, oauth = false, denies = false, lifetime = 3600 } = options;
    const repository = process.env["AGENT_OPERATIONS_REPO"];
    assert(repository, "the suite tells where the repository is");
    const args = ["--port", String(port), "--lifetime", String(lifetime)];
    if (oauth) args.push("--oauth");
    if (denies) args.push("--denies");
    const child = spawn(process.execPath, [join(repository, "test/peers/toolServerMain.ts"), ...args]);
    const lines = createInterface({ input: child.stdout });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const first = await Promise.race([once(lines, "line"), once(child, "exit").then(() => undefined)]);
    assert(first, `the tool server did not start: ${said}`);
    return new ToolServerProcess(String(first[0]), child);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }
}
