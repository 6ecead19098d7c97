import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const withinMs = 15 * 60_000;
const graceForUnsignedMs = 10_000;

/** Runs `work` while no other process holds `lockFolder`; a lock whose owner has died is taken over. */
export async function exclusively<T>(lockFolder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lockFolder), { recursive: true });
  await acquire(lockFolder);
  try {
    return await work();
  } finally {
    await rm(lockFolder, { recursive: true, force: true });
  }
}

async function acquire(lockFolder: string): Promise<void> {
  const deadline = Date.now() + withinMs;
  let announced = false;
  while (!(await tryToOwn(lockFolder))) {
    if (await isAbandoned(lockFolder)) {
      await discard(lockFolder);
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Another process has held ${lockFolder} for too long.`);
    if (!announced) console.log(`Waiting for another run that holds ${lockFolder}`);
    announced = true;
    await delay(250);
  }
}

async function tryToOwn(lockFolder: string): Promise<boolean> {
  try {
    await mkdir(lockFolder);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  await writeFile(`${lockFolder}/owner`, String(process.pid));
  return true;
}

async function isAbandoned(lockFolder: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(`${lockFolder}/owner`, "utf8"));
    return owner > 0 && !isAlive(owner);
  } catch {
    const age = await stat(lockFolder).then(
      (status) => Date.now() - status.mtimeMs,
      () => 0,
    );
    return age > graceForUnsignedMs;
  }
}

/** Renames first: of several processes that see the same dead owner only one succeeds. */
async function discard(lockFolder: string): Promise<void> {
  const aside = `${lockFolder}.${process.pid}`;
  try {
    await rename(lockFolder, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
