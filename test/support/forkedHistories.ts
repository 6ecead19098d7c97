/** Random histories of forks, edits and plain turns: whatever was done, plain turns keep all that was said before. */

import { strict as assert } from "node:assert";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { ThreadState } from "../../src/api/agentServer/wire.ts";
import { contentText } from "../../src/run/fold/drafts/messageDraft.ts";
import { stateMessages } from "../../src/run/fold/threadState.ts";
import { checkpointIn } from "../../src/run/history/pages.ts";
import { findMessage, regeneratePlan, resendPlan } from "../../src/run/repair/messages.ts";
import { forkPlan, goOnPlan, type Plan } from "../../src/run/repair/plan.ts";
import { readPosition } from "../../src/run/repair/threadPosition.ts";
import { stuckCheckpoint } from "../../src/run/session/stuckCheckpoint.ts";
import type { Random } from "./random.ts";
import { RepairedThread } from "./repairedThread.ts";

/** One history; fails with what was done when something that was said is gone. */
export async function forkAtRandom(server: AgentServer, random: Random, rounds: number): Promise<void> {
  const thread = await RepairedThread.make(server);
  const { threadId } = thread.course;
  const done: string[] = [];
  const say = async (text: string, rest = {}) => {
    done.push(`say ${text} ${JSON.stringify(rest)}`);
    await thread.say(text, { fail_at: "none", ...rest });
  };
  await say("begin");
  for (let round = 0; round < rounds; round += 1) {
    const { kept, plan, name } = await changeAtRandom(thread, server, random, round);
    done.push(name);
    await thread.follow(plan);
    const base = await thread.texts();
    assertBegins(base, kept, done);
    for (const turn of ["first", "second"]) await say(`${turn} after ${round}`);
    const now = await thread.texts();
    assertBegins(now, [...base, `first after ${round}`], done);
    assert.equal(now.filter((text) => text === `second after ${round}`).length, 1, done.join("\n"));
    const { config } = await server.threads.row(threadId);
    assert.equal(stuckCheckpoint(config), undefined, done.join("\n"));
  }
}

interface ChangeAtRandom {
  readonly name: string;
  readonly plan: Plan;
  /** What stays of the conversation. */
  readonly kept: readonly unknown[];
}

async function changeAtRandom(
  thread: RepairedThread,
  server: AgentServer,
  random: Random,
  round: number,
): Promise<ChangeAtRandom> {
  const { course } = thread;
  const said = stateMessages(await server.threads.state(course.threadId));
  switch (random.pick(["fork", "edit", "regenerate", "resend", "retry"] as const)) {
    case "fork":
    case "edit": {
      const states = await server.threads.history(course.threadId, { limit: 1000 });
      const target = random.pick(states.filter(({ next }) => next.length > 0 && next[0] !== "__start__"));
      const checkpointId = checkpointIn(target) ?? "";
      const position = await readPosition(course, (state) => checkpointIn(state) === checkpointId);
      const edited = random.chance(0.5) ? { job: `edited ${round}` } : null;
      const plan = forkPlan(position, target, { checkpointId, values: edited });
      return { name: `fork before ${target.next[0]}`, plan, kept: textsOf(target) };
    }
    case "regenerate": {
      const message = random.pick(said.filter(({ role }) => role === "ai"));
      const found = await findMessage(course, { id: message.id ?? "" });
      return {
        name: `regenerate ${contentText(message.content)}`,
        plan: regeneratePlan(found),
        kept: textsOf(found.before),
      };
    }
    case "resend": {
      const message = random.pick(said.filter(({ role }) => role === "human"));
      const found = await findMessage(course, { id: message.id ?? "" });
      const plan = resendPlan(found, `edited ${round}`);
      const kept = [...textsOf(found.before), `edited ${round}`];
      return { name: `resend ${contentText(message.content)}`, plan, kept };
    }
    case "retry": {
      const failing = { fail_at: random.pick(["check", "charge", "close"]), job: crypto.randomUUID() };
      await thread.say(`failing ${round}`, failing);
      const position = await readPosition(course);
      return { name: `retry ${failing.fail_at}`, plan: goOnPlan(position), kept: textsOf(position.state) };
    }
  }
}

function textsOf(state: ThreadState): readonly unknown[] {
  return stateMessages(state).map(({ content }) => content);
}

function assertBegins(now: readonly unknown[], kept: readonly unknown[], done: readonly string[]): void {
  assert.deepEqual(now.slice(0, kept.length), kept, done.join("\n"));
}
