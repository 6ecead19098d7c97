/** The process in which `bounded` does its work. */

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FromChild } from "./bounded.ts";

interface Wanted {
  readonly file: string;
  readonly name: string;
  readonly input: unknown;
}

process.once("message", (wanted: Wanted) => void run(wanted));
process.once("disconnect", () => process.exit());

async function run({ file, name, input }: Wanted): Promise<void> {
  try {
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    const work = module[name];
    if (typeof work !== "function") throw new TypeError(`${file} exports no function ${name}`);
    const baseMb = process.memoryUsage.rss() / 2 ** 20;
    await say({ kind: "started", mb: baseMb });
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await delay(20);
    const started = performance.now();
    const value: unknown = await (work as (input: unknown) => unknown)(input);
    const ms = Math.round(performance.now() - started);
    await delay(20);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    const mb = Math.max(0, Math.round(peakMb - baseMb));
    await say({ kind: "outcome", outcome: { value, ms, mb, blockedMs: Math.round(delays.max / 1e6) } });
  } catch (error) {
    await say({
      kind: "failed",
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

/** Resolves when it was sent, so that it is known even if the process then never comes back. */
function say(message: FromChild): Promise<void> {
  return new Promise((sent) => process.send?.(message, () => sent()));
}
