import { deepEqual } from "node:assert/strict";
import type { Json, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { callsAfter, callsWaiting } from "../../../../src/run/repair/calls.ts";
import { stateOf } from "../session/scriptedServer.ts";

const call = (id: string, name: string): Json => ({ id, name, args: { n: id } });
const asks = (...calls: readonly Json[]): Json => ({ id: "m", type: "ai", content: "", tool_calls: calls });
const answers = (id: string, name?: string): Json => ({
  ...{ id: `to ${id}`, type: "tool", tool_call_id: id, content: "done" },
  ...(name !== undefined && { name }),
});

function stateAt(
  id: string,
  parent: string | undefined,
  second: number,
  ...messages: readonly Json[]
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    ...stateOf({ messages }),
    created_at: `2026-11-22T12:00:0${second}Z`,
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

describe("The tools that were called behind a state", () => {
  const first = stateAt("a", undefined, 1, asks(call("1", "send"), call("2", "look")));
  const shown = asks(call("1", "send"), call("2", "look"));
  const paying = { type: "ai", id: "p", content: "", tool_calls: [call("4", "pay")] };
  const checkpoints = new Checkpoints();
  checkpoints.add([
    stateAt("d", "b", 4, shown, answers("1"), paying, answers("4")),
    stateAt("c", "a", 3, shown, answers("2"), answers("3", "odd"), answers("5")),
    stateAt("b", "a", 2, shown, answers("1")),
    first,
  ]);

  it("are those that were answered there, on every branch, each once, in the order of their answers", () => {
    deepEqual(
      callsAfter(checkpoints, { state: first, checkpointId: "a" }).map(({ id, name, args }) => [
        id,
        name,
        args,
      ]),
      [
        ["1", "send", '{"n":"1"}'],
        ["2", "look", '{"n":"2"}'],
        ["3", "odd", "{}"],
        ["5", "tool", "{}"],
        ["4", "pay", '{"n":"4"}'],
      ],
    );
    deepEqual(callsAfter(checkpoints, { state: first, checkpointId: "d" }), []);
  });

  it("have no arguments where the state is not known that called them", () => {
    deepEqual(callsAfter(checkpoints, { state: undefined, checkpointId: "a" })[0], {
      id: "1",
      name: "tool",
      args: "{}",
    });
  });

  it("wait as long as nothing answered them, those of the last message that calls", () => {
    const waiting = (...messages: readonly Json[]): readonly string[] =>
      callsWaiting(stateOf({ messages })).map(({ id }) => id);
    deepEqual(waiting(asks(call("1", "a"), call("2", "b")), answers("1")), ["2"]);
    deepEqual(waiting(asks(call("1", "a")), { type: "ai", id: "n", content: "Done" }), []);
    deepEqual(waiting(), []);
  });
});
