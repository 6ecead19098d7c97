/** A Local Platform as the editor starts it: a process of its own, spoken to over HTTP by our own client. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { Http } from "../../../../src/api/http.ts";

interface Ready {
  readonly deploymentUrl: string;
  readonly localUrl: string;
  readonly apiKey: string;
}

export class LocalPlatformProcess {
  readonly agentServer: AgentServer;
  private readonly ready: Ready;
  private readonly end: () => Promise<void>;

  private constructor(ready: Ready, end: () => Promise<void>) {
    const headers = () => Promise.resolve({ "x-api-key": ready.apiKey });
    this.agentServer = new AgentServer(new Http({ baseUrl: ready.deploymentUrl, headers }));
    this.ready = ready;
    this.end = end;
  }

  static async start(): Promise<LocalPlatformProcess> {
    const data = await mkdtemp(join(tmpdir(), "agent-operations-run-"));
    const main = join(import.meta.dirname, "../../../../src/emulator/main.ts");
    const child = spawn(process.execPath, [main, "--port", "0", "--data", data], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the Local Platform ended with code ${String(code)} before it was ready`);
    });
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    ended.catch(() => undefined);
    return new LocalPlatformProcess(JSON.parse(line) as Ready, async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      await rm(data, { recursive: true, force: true });
    });
  }

  async stop(): Promise<void> {
    await this.end();
  }

  /** Lets the next matching answers fail. */
  async fault(fault: object): Promise<void> {
    const answer = await fetch(`${this.ready.localUrl}/faults`, {
      method: "POST",
      headers: { "x-api-key": this.ready.apiKey, "content-type": "application/json" },
      body: JSON.stringify(fault),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}
