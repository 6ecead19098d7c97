import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Ready } from "../../../src/emulator/server.ts";
import { Ledger, writers } from "./crashWriters.ts";
import type { Check, Writer } from "./crashWriters.ts";
import { LocalPlatform, temporaryDirectory, text, until } from "./localPlatform.ts";
import { WebhookReceiver } from "./webhookReceiver.ts";

const main = join(import.meta.dirname, "../../../src/emulator/main.ts");
const kills = 50;
/** The same numbers again: CRASH_SEED=<the seed that failed>. */
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("a Local Platform that is killed again and again", function () {
  // Fifty processes start one after the other.
  this.timeout(180_000);
  let directory: string;
  let receiver: WebhookReceiver;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await kill();
    await receiver.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const launch = async (): Promise<LocalPlatform> => {
    const started = spawn(process.execPath, [main, "--port", "0", "--data", directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const lines = createInterface({ input: started.stdout });
    const [line] = (await Promise.race([once(lines, "line"), once(started, "exit")])) as unknown[];
    return new LocalPlatform(JSON.parse(text(line)) as Ready, directory);
  };

  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };

  it("loses no acknowledged write, leaves no run running, and sends each event under one id", async () => {
    const random = randomFrom(seed);
    const ledger = new Ledger();
    const all = new Map<string, Check>();
    let round = 0;
    try {
      let platform = await launch();
      await subscribe(platform, receiver);
      for (; round < kills; round++) {
        const writing = writers.map((write) => writeUntilGone(write, platform, ledger));
        await pause(20 + random() * 260);
        assert.equal(child?.exitCode, null, "it ended by itself");
        await kill();
        assert.deepEqual((await Promise.all(writing)).filter(isUnexpected), []);
        platform = await launch();
        // Now and then the next kill comes while the platform still recovers.
        if (random() < 0.2) continue;
        await verify(platform, ledger.checks);
        for (const [what, check] of ledger.checks) all.set(what, check);
        ledger.checks.clear();
      }
      await verify(platform, new Map([...all, ...ledger.checks]));
      await until(() => Promise.resolve([...ledger.opened].every((id) => told(receiver).has(id))));
      for (const [request, bodies] of told(receiver)) assert.equal(bodies.size, 1, `request ${request}`);
      const { endings, acknowledged } = ledger;
      assert.ok(endings.error > 0 && endings.success > 0, JSON.stringify(endings));
      assert.ok(acknowledged > 20 * kills, `only ${acknowledged} writes were acknowledged`);
    } catch (error) {
      throw new Error(`with CRASH_SEED=${seed}, after ${round} kills: ${String(error)}`, { cause: error });
    }
  });
});

async function subscribe(platform: LocalPlatform, receiver: WebhookReceiver): Promise<void> {
  const { status } = await platform.send("POST", `${platform.ready.localUrl}/webhooks`, {
    url: receiver.url,
  });
  assert.equal(status, 201);
  // Some deliveries wait for another attempt when the kill comes.
  receiver.treat = (index) => (index % 7 === 0 ? 503 : 200);
}

/** Answers with what ended the writing: a lost connection, unless something is wrong. */
async function writeUntilGone(write: Writer, platform: LocalPlatform, ledger: Ledger): Promise<unknown> {
  try {
    for (;;) await write(platform, ledger);
  } catch (error) {
    return error;
  }
}

/** Of a lost connection, `fetch` says so with a TypeError. */
function isUnexpected(error: unknown): boolean {
  return !(error instanceof TypeError && /fetch failed|terminated/.test(error.message));
}

/** Makes all checks, several at a time. */
async function verify(platform: LocalPlatform, checks: ReadonlyMap<string, Check>): Promise<void> {
  const waiting = [...checks].values();
  const work = async (): Promise<void> => {
    for (const [what, check] of waiting) {
      await check(platform).catch((error: unknown) => {
        throw new Error(`${what}: ${String(error)}`, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** The different bodies that were delivered for each request that opened an issue. */
function told(receiver: WebhookReceiver): Map<string, Set<string>> {
  const bodies = new Map<string, Set<string>>();
  for (const { event, bytes } of receiver.received) {
    const request = text(event.request_id);
    bodies.set(request, (bodies.get(request) ?? new Set()).add(bytes.toString()));
  }
  return bodies;
}

/** The same numbers between 0 and 1 for the same seed. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
