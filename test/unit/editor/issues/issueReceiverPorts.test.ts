import { strict as assert } from "node:assert";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  IssueReceiver,
  IssueReceiverError,
  listenError,
} from "../../../../src/editor/issues/issueReceiver.ts";

const nobody = 65_534;
/** The highest port that only an administrator may open, on systems that say so and keep one. */
const forbiddenPort = await (async (): Promise<number | undefined> => {
  const setting = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
  const first = Number(await readFile(setting, "utf8").catch(() => "0"));
  return first > 1 ? first - 1 : undefined;
})();
const host = {
  verifier: () => Promise.resolve(undefined),
  accept: () => Promise.resolve(),
  refused: () => undefined,
  failed: () => undefined,
};

describe("A port that the receiver can't have", () => {
  let folder: string;
  const open: IssueReceiver[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "forbidden-"));
    await chmod(folder, 0o500);
  });
  afterEach(async () => {
    for (const receiver of open.splice(0)) await receiver.close();
  });
  after(() => rm(folder, { recursive: true }));

  it("is in use: the remedy is another one", async () => {
    const first = await IssueReceiver.listen(0, host);
    open.push(first);
    await assert.rejects(
      IssueReceiver.listen(first.port, host),
      says("EADDRINUSE", /in use by another program/),
    );
  });

  const refusals: Readonly<Record<string, () => Promise<unknown>>> = {
    "as the system refuses a socket's place": async () => listenError(443, await refusedSocket(folder)),
    ...(forbiddenPort === undefined
      ? {}
      : { "as the system refuses the port itself": () => IssueReceiver.listen(forbiddenPort, host) }),
  };
  for (const [what, refused] of Object.entries(refusals)) {
    it(`may not be opened by this user, ${what}`, async () => {
      const error = await asNobody(() => refused().catch((reason: unknown) => reason));
      says("EACCES", /^Port \d+ may not be opened by this user\.$/)(error);
    });
  }

  it("is none of the machine's: the words of the system are kept", () => {
    const refused = Object.assign(new Error("listen EADDRNOTAVAIL"), { code: "EADDRNOTAVAIL" });
    says("EADDRNOTAVAIL", /can't be opened: listen EADDRNOTAVAIL\.$/)(listenError(443, refused));
  });
});

/** A listener's own failure in a folder that may not be written, which every system refuses. */
async function refusedSocket(folder: string): Promise<Error> {
  const [error] = (await once(createServer().listen(join(folder, "socket")), "error")) as [Error];
  return error;
}

/** Without what an administrator may do, if the tests are run by one. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

function says(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof IssueReceiverError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.remedy, /agentOperations\.issues\.port/);
    return true;
  };
}
