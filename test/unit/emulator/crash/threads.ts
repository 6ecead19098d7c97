import assert from "node:assert/strict";
import { list, say, text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { accepted, assertReached, turns } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Changes a thread's metadata. */
export async function patchThreads(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread({ turn: 0 });
  for (let turn = 1; turn <= turns; turn++) {
    const path = `/threads/${thread}`;
    accepted(await platform.send("PATCH", path, { metadata: { turn } }));
    ledger.note(path, async (again) => {
      const found = accepted(await again.send("GET", path)).metadata?.turn;
      assertReached(Number(found), turn);
    });
  }
}

/** Adds checkpoints to a thread. */
export async function updateStates(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread({ graph_id: "echo" });
  const path = `/threads/${thread}/state`;
  const checkpoints: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const update = { values: say(`turn ${turn}`), as_node: "__end__" };
    const { checkpoint } = accepted(await platform.send("POST", path, update));
    checkpoints.push(text(checkpoint?.checkpoint_id));
    ledger.note(path, async (again) => {
      const history = list(accepted(await again.send("POST", `/threads/${thread}/history`, { limit: 100 })));
      const kept = history.map((state) => text(state.checkpoint?.checkpoint_id)).reverse();
      assert.deepEqual(kept.slice(0, turn + 1), checkpoints.slice(0, turn + 1));
      const said = list((await again.state(thread)).values?.messages).map(({ content }) => text(content));
      assertReached(said.length - 1, turn);
      assert.deepEqual(
        said,
        said.map((_, index) => `turn ${index}`),
      );
    });
  }
}

/** Makes a thread and deletes it. */
export async function deleteThreads(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const { status } = await platform.send("DELETE", `/threads/${thread}`);
  assert.equal(status, 204);
  ledger.note(`deleted thread ${thread}`, async (again) => {
    assert.equal((await again.send("GET", `/threads/${thread}`)).status, 404);
  });
}
