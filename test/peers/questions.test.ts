import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json, RunCreate } from "../../src/api/agentServer/wire.ts";
import type { InterruptEntry } from "../../src/run/panel/transcript.ts";
import { followable } from "../../src/run/session/runBody.ts";
import type { RequestOutcome } from "../../src/run/session/answers.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, request, sessionUntil } from "../support/liveSession.ts";
import { transcriptText } from "../support/recordings.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("questions of a real agent server", () => {
  let url: string;
  let api: AgentServer;
  const sessions: RunSession[] = [];

  before(async () => {
    ({ url, api } = await agentServerPeer());
  });
  afterEach(() => sessions.splice(0).forEach((session) => session.dispose()));

  /** A session that asked an agent, or another one on the same thread that was opened now. */
  async function opened(threadId?: string): Promise<RunSession> {
    const session = liveSession(api, threadId);
    sessions.push(session);
    await session.load();
    await idle(session);
    return session;
  }

  async function asked(agent: string, text: string): Promise<RunSession> {
    const session = await opened();
    assert.deepEqual(await session.start(request(agent, { text })), { accepted: true });
    await idle(session);
    return session;
  }

  /** A run that somebody else starts on the thread of a session, with whatever it asks for. */
  async function elsewhere(session: RunSession, body: Partial<RunCreate>): Promise<void> {
    const { events } = await api.runs.stream(session.threadId!, {
      assistant_id: "reviewer",
      ...body,
      ...followable,
    });
    for await (const batch of events) assert.ok(batch.length > 0);
  }

  const questions = ({ entries }: RunSession) =>
    entries.filter((entry): entry is InterruptEntry => entry.kind === "interrupt");
  const open = (session: RunSession) => questions(session).filter(({ state }) => state === "open");
  const idOf = ({ id }: InterruptEntry): string => id.split(":")[1]!;
  const runs = ({ entries }: RunSession) => entries.filter(({ kind }) => kind === "run").length;
  const refusal = (outcome: RequestOutcome) => (outcome.accepted ? "" : outcome.message);
  /** The same facts for who opens the thread now. */
  const sameWhenReopened = async (session: RunSession) =>
    assert.deepEqual(facts(await opened(session.threadId)), facts(session));
  const facts = (session: RunSession) =>
    questions(session).map(({ requests, value, next, state, answer }) => ({
      requests,
      value,
      next,
      state,
      answer,
    }));

  it("that wait beside each other are answered each by itself, without an empty run", async () => {
    const session = await asked("par", "Both");
    assert.deepEqual(
      open(session).map(({ question }) => question?.text),
      ["Finance asks: how much?", "Legal asks: may we?"],
    );
    const [finance, legal] = open(session);
    assert.deepEqual(await session.answers.resume(finance!.id, "20"), { accepted: true });
    await idle(session);
    assert.deepEqual(
      facts(session).map(({ state, answer }) => [state, answer]),
      [
        ["answered", "20"],
        ["open", undefined],
      ],
    );
    // The server's own state goes on listing what was answered.
    const state = await api.threads.state(session.threadId!);
    assert.equal(state.tasks.flatMap(({ interrupts }) => interrupts).length, 2);
    await sameWhenReopened(session);
    assert.match(refusal(await session.answers.resume(finance!.id, "30")), /answered already/);
    assert.equal(runs(session), 2);
    await session.answers.resume(legal!.id, "yes");
    await idle(session);
    assert.equal(runs(session), 3);
    assert.match(transcriptText(session.entries), /ai: Finance: "20"; Legal: "yes"\n/);
    assert.deepEqual(
      questions(session).map(({ giver }) => giver),
      [undefined, undefined],
    );
    await sameWhenReopened(session);
  });

  it("that wait beside each other may be answered while the other's run goes on", async () => {
    const session = await asked("par", "Both");
    const [finance, legal] = open(session);
    const outcomes = await Promise.all([
      session.answers.resume(finance!.id, 1),
      session.answers.resume(legal!.id, 2),
    ]);
    assert.deepEqual(outcomes, [{ accepted: true }, { accepted: true }]);
    await idle(session);
    assert.match(transcriptText(session.entries), /ai: Finance: 1; Legal: 2\n/);
  });

  it("that were answered elsewhere get no second answer, and neither does the next one", async () => {
    const session = await asked("reviewer", "the trials");
    const [card] = open(session);
    const decisions: Json = [{ type: "reject", message: "not now" }, { type: "reject" }];
    await elsewhere(session, { command: { resume: { [idOf(card!)]: { decisions } } } });
    const outcome = await session.answers.decide(card!.id, [{ type: "approve" }, { type: "approve" }]);
    assert.equal(
      refusal(outcome),
      "This question was answered meanwhile, or waits no more. Your answer was not sent.",
    );
    const [closed] = questions(session);
    assert.deepEqual([closed!.state, closed!.answer], ["answered", "reject: not now; reject"]);
    assert.equal(closed!.giver?.kind, "run");
    // The next question waits for its own answer.
    const { next, tasks } = await api.threads.state(session.threadId!);
    assert.deepEqual(next, ["ask"]);
    assert.match(JSON.stringify(tasks), /Which environments should I notify/);
    await sessionUntil(session, () => open(session)[0]?.question?.text.startsWith("Which") === true);
    assert.deepEqual(open(session)[0]!.question, {
      text: "Which environments should I notify?",
      options: ["staging", "prod", "both"].map((label) => ({ label, value: label })),
      several: false,
      proposal: "staging",
    });
    await session.answers.resume(open(session)[0]!.id, "both");
    await idle(session);
    assert.match(transcriptText(session.entries), /ai: You chose: "both"\n/);
    assert.ok(!/approve"|told ops/.test(JSON.stringify(await api.threads.state(session.threadId!))));
    await sameWhenReopened(session);
  });

  it("that another window answers close in words there, and stay readable", async () => {
    const session = await asked("reviewer", "the trials");
    const other = await opened(session.threadId);
    await other.answers.decide(open(other)[0]!.id, [{ type: "reject" }, { type: "reject" }]);
    await idle(other);
    assert.match(
      refusal(await session.answers.decide(open(session)[0]!.id, [{ type: "approve" }, { type: "approve" }])),
      /answered meanwhile/,
    );
    const [closed] = questions(session);
    assert.deepEqual(
      [closed!.state, closed!.answer, closed!.giver],
      ["answered", "reject; reject", { kind: "otherWindow" }],
    );
  });

  it("of a copied thread, which has no runs, are answered as well", async () => {
    const session = await asked("par", "Both");
    const copied = await fetch(`${url}/threads/${session.threadId}/copy`, { method: "POST" });
    const { thread_id: threadId } = (await copied.json()) as { thread_id: string };
    const copy = await opened(threadId);
    assert.equal(runs(copy), 0);
    assert.deepEqual(await copy.answers.resume(open(copy)[0]!.id, 1), { accepted: true });
    await idle(copy);
    await copy.answers.resume(open(copy)[0]!.id, 2);
    await idle(copy);
    assert.match(transcriptText(copy.entries), /ai: Finance: 1; Legal: 2\n/);
    assert.equal(open(session).length, 2);
  });

  it("edit an action in the words that the library's own middleware reads", async () => {
    const session = await asked("reviewer", "the trials");
    const [card] = open(session);
    assert.equal(
      card!.requests[0]!.description,
      "Runs SQL on **prod**:\n\n- it cannot be undone\n- it takes about a *minute*",
    );
    const args = { sql: "SELECT 1", database: "staging" };
    const outcome = await session.answers.decide(card!.id, [
      { type: "edit", edited_action: { name: "run_sql", args } },
      { type: "approve" },
    ]);
    assert.deepEqual(outcome, { accepted: true });
    await idle(session);
    const shown = transcriptText(session.entries);
    assert.match(shown, /1 lines ran on staging/);
    assert.match(shown, /told ops@example\.com/);
  });

  it("are none at a breakpoint, where the run goes on step by step", async () => {
    const { thread_id: threadId } = await api.threads.create();
    const body = { assistant_id: "approval", input: { messages: [{ role: "user", content: "Go" }] } };
    const stopping: RunCreate & { readonly interrupt_before: readonly string[] } = {
      ...body,
      ...followable,
      interrupt_before: ["act"],
    };
    const { events } = await api.runs.stream(threadId, stopping);
    for await (const batch of events) assert.ok(batch.length > 0);
    const session = await opened(threadId);
    const [stop] = open(session);
    assert.deepEqual([stop!.next, stop!.requests], [["act"], []]);
    assert.deepEqual(await session.answers.resume(stop!.id, null), { accepted: true });
    await idle(session);
    assert.deepEqual(
      questions(session).map(({ next, requests, state }) => [next, requests.length, state]),
      [
        [["act"], 0, "answered"],
        [undefined, 2, "open"],
      ],
    );
    const again = await session.answers.continueOnly();
    assert.match(refusal(again), /does not stand at that breakpoint/);
  });
});
