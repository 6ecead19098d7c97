import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Ready } from "../../src/emulator/server.ts";
import { LocalPlatform, temporaryDirectory, text } from "./localPlatform.ts";

const main = join(import.meta.dirname, "../../src/emulator/main.ts");

/** A Local Platform in a process of its own. */
export interface PlatformProcess {
  readonly child: ChildProcess;
  readonly platform: LocalPlatform;
  /** The lines on its standard output so far. */
  readonly output: readonly string[];
}

/** The processes that a test starts, one after the other, on one data directory. */
export class PlatformProcesses {
  readonly directory: string;
  readonly #program: string;
  readonly #children: ChildProcess[] = [];

  private constructor(directory: string, program: string) {
    this.directory = directory;
    this.#program = program;
  }

  /** Makes an empty data directory, for the Local Platform of the sources or of a bundle. */
  static async prepare(program = main): Promise<PlatformProcesses> {
    return new PlatformProcesses(await temporaryDirectory(), program);
  }

  /** Starts a platform and waits until it is ready. */
  async launch(...args: string[]): Promise<PlatformProcess> {
    const given = [this.#program, "--port", "0", "--data", this.directory, ...args];
    const child = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    this.#children.push(child);
    const output: string[] = [];
    if (child.stdout === null) throw new Error("The process has no output.");
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => output.push(line));
    const [line] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as unknown[];
    const platform = new LocalPlatform(JSON.parse(text(line)) as Ready, this.directory);
    return { child, platform, output };
  }

  /** Starts one that ends by itself; answers its exit code and what it said about it. */
  async fail(...args: string[]): Promise<{ readonly code: number | null; readonly errors: string }> {
    const child = spawn(process.execPath, [this.#program, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    this.#children.push(child);
    let errors = "";
    child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, errors };
  }

  /** Kills whatever still runs, without a chance to tidy up. */
  async kill(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
        await once(child, "exit");
    }
  }

  /** Kills what runs and removes the data. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}
