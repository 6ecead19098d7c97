import { strict as assert } from "node:assert";
import type { Interrupt, Json } from "../../../../src/api/agentServer/wire.ts";
import { freeQuestion } from "../../../../src/run/fold/drafts/humanReview.ts";
import { type StateNow, waitingIn } from "../../../../src/run/fold/threadState.ts";
import type { FreeQuestion } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "../session/scriptedServer.ts";

const [a, b] = [
  { id: "a", value: "A?" },
  { id: "b", value: "B?" },
];

describe("what a thread waits for", () => {
  const state = (
    interrupts: readonly Interrupt[],
    next: readonly string[],
    row?: StateNow["row"],
  ): StateNow => ({
    ...stateOf({}, [{ id: "t", name: "ask", interrupts }]),
    next,
    ...(row !== undefined && { row }),
  });
  const sideBySide =
    (...asked: readonly (readonly [node: string, interrupts: readonly Interrupt[]])[]) =>
    (next: readonly string[], row: StateNow["row"]): StateNow => ({
      ...state([], next, row),
      tasks: asked.map(([name, interrupts], at) => ({ id: `t${at}`, name, interrupts })),
    });
  const cases: Readonly<Record<string, readonly [StateNow, ReturnType<typeof waitingIn>]>> = {
    "is what the state lists where there is no row": [
      state([a, b], ["ask"]),
      {
        interrupts: [a, b],
        next: ["ask"],
        stopped: undefined,
        maybeAnswered: [{ asks: [[a, b]], waiting: undefined }],
      },
    ],
    "is listed once, however often the state does": [
      state([a, a], []),
      { interrupts: [a], next: [], stopped: undefined, maybeAnswered: [] },
    ],
    "is what the row lists: the state goes on listing what was answered": [
      state([a, b], ["ask"], { status: "interrupted", interrupts: { s: [], t: [b] } }),
      { interrupts: [b], next: ["ask"], stopped: false, maybeAnswered: [] },
    ],
    "is not certain while the thread runs": [
      state([a], ["ask"], { status: "busy", interrupts: { t: [b] } }),
      { interrupts: [a], next: ["ask"], stopped: undefined, maybeAnswered: [] },
    ],
    "is the one question that the state lists where the row lists none at all": [
      state([a], ["ask"], { status: "interrupted" }),
      { interrupts: [a], next: ["ask"], stopped: false, maybeAnswered: [] },
    ],
    "is what the state lists where the row calls the thread idle": [
      state([a], ["ask"], { status: "idle", interrupts: {} }),
      { interrupts: [a], next: ["ask"], stopped: undefined, maybeAnswered: [] },
    ],
    "is nothing that was answered with what its node failed on": [
      {
        ...state([], ["ask", "other"], { status: "error", interrupts: { t: [] } }),
        tasks: [
          { id: "t", name: "ask", interrupts: [a], error: "no use" },
          { id: "u", name: "other", interrupts: [b], error: null },
        ],
      },
      { interrupts: [b], next: ["ask", "other"], stopped: undefined, maybeAnswered: [] },
    ],
    "is what a node asks that failed before and was tried again": [
      {
        ...state([], ["ask"], { status: "interrupted", interrupts: { t: [a] } }),
        tasks: [{ id: "t", name: "ask", interrupts: [a], error: "no mail" }],
      },
      { interrupts: [a], next: ["ask"], stopped: false, maybeAnswered: [] },
    ],
    "is what the nodes ask that come next, and not what others asked beside them": [
      sideBySide(["left", [a]], ["right", [b]])(["right"], { status: "idle" }),
      { interrupts: [b], next: ["right"], stopped: undefined, maybeAnswered: [] },
    ],
    "is only what the row lists where the state names no nodes that come next": [
      sideBySide(["work", [a]], ["work", [b]])([], { status: "interrupted", interrupts: { t: [b] } }),
      { interrupts: [b], next: [], stopped: false, maybeAnswered: [] },
    ],
    "is also what a row of the last subgraph does not list": [
      sideBySide(
        ["work", [a]],
        ["work", [b]],
        ["work", []],
      )(["work", "work"], {
        status: "interrupted",
        interrupts: { u: [b] },
      }),
      { interrupts: [b, a], next: ["work", "work"], stopped: false, maybeAnswered: [] },
    ],
    "is what the row lists where no other task of the node comes next": [
      sideBySide(["work", [a]], ["work", [b]])(["work"], { status: "interrupted", interrupts: { u: [b] } }),
      { interrupts: [b], next: ["work"], stopped: false, maybeAnswered: [] },
    ],
    "is nothing that the row lists of a node that does not come next": [
      sideBySide(["left", [a]], ["right", [b]])(["right"], {
        status: "interrupted",
        interrupts: { t: [a], u: [b] },
      }),
      { interrupts: [b], next: ["right"], stopped: false, maybeAnswered: [] },
    ],
    "may be either of two that the row lists where one of them comes next": [
      sideBySide(["work", [a]], ["work", [b]])(["work"], {
        status: "interrupted",
        interrupts: { t: [a], u: [b] },
      }),
      {
        interrupts: [a, b],
        next: ["work"],
        stopped: false,
        maybeAnswered: [{ asks: [[a], [b]], waiting: 1 }],
      },
    ],
    "may be either of two where one of them comes next, and the row does not say which": [
      sideBySide(["work", [a]], ["work", [b]])(["work"], { status: "idle", interrupts: {} }),
      {
        interrupts: [a, b],
        next: ["work"],
        stopped: undefined,
        maybeAnswered: [{ asks: [[a], [b]], waiting: 1 }],
      },
    ],
    "may be a breakpoint where a server calls the thread idle, though nodes come next": [
      state([], ["send"], { status: "idle", interrupts: {} }),
      { interrupts: [], next: ["send"], stopped: undefined, maybeAnswered: [] },
    ],
    "is nothing in a thread that is done": [
      state([], [], { status: "idle" }),
      { interrupts: [], next: [], stopped: false, maybeAnswered: [] },
    ],
    "is its next step where it stopped without a question": [
      state([], ["send"], { status: "interrupted", interrupts: { t: [] } }),
      { interrupts: [], next: ["send"], stopped: true, maybeAnswered: [] },
    ],
    "is its next step where only the row lists a question that was answered": [
      state([], ["send"], { status: "interrupted", interrupts: { s: [a] } }),
      { interrupts: [], next: ["send"], stopped: true, maybeAnswered: [] },
    ],
    "may be its next step where the row lists no questions at all": [
      state([], ["send"], { status: "interrupted" }),
      { interrupts: [], next: ["send"], stopped: undefined, maybeAnswered: [] },
    ],
    "is read from a row of any shape": [
      sideBySide()([], {
        status: "interrupted",
        interrupts: { t: null, u: [7, { interrupt_id: "c" }] } as never,
      }),
      { interrupts: [{ id: "c", value: null }], next: [], stopped: false, maybeAnswered: [] },
    ],
  };
  for (const [statement, [given, expected]] of Object.entries(cases))
    it(statement, () => assert.deepEqual(waitingIn(given), expected));
});

describe("a question in free form", () => {
  const none: FreeQuestion = { text: "", options: [], several: false };
  const option = (label: string, value: Json = label) => ({ label, value });
  const cases: readonly (readonly [name: string, value: Json, shown: FreeQuestion | undefined])[] = [
    ["is a text", "Sure?", { ...none, text: "Sure?" }],
    ["stands in an object under any of the usual names", { prompt: "Sure?" }, { ...none, text: "Sure?" }],
    [
      "has options of any plain kind, and a proposal",
      { question: "How many?", options: [1, 2, "many", true, null, []], default: 2 },
      {
        ...none,
        text: "How many?",
        options: [option("1", 1), option("2", 2), option("many"), option("true", true)],
        proposal: 2,
      },
    ],
    [
      "has choices with names of their own",
      {
        message: "Where?",
        choices: [{ label: "Prod", value: "p" }, { name: "Test" }, { id: 3, title: "Lab" }, {}],
      },
      { ...none, text: "Where?", options: [option("Prod", "p"), option("Test"), option("Lab", 3)] },
    ],
    [
      "takes several answers where several are proposed, or where it says so",
      { question: "Which?", options: ["a", "b"], default: ["a"] },
      { text: "Which?", options: [option("a"), option("b")], several: true, proposal: ["a"] },
    ],
    [
      "keeps what else it says",
      { question: "Send it?", draft: "Dear all,\n…", options: [] },
      { ...none, text: "Send it?", rest: { draft: "Dear all,\n…", options: [] } },
    ],
    [
      "has no buttons for more options than can be chosen from",
      { question: "Which?", options: Array.from({ length: 51 }, (_, index) => index) },
      { ...none, text: "Which?", rest: { options: Array.from({ length: 51 }, (_, index) => index) } },
    ],
    [
      "proposes the first value that there is",
      { question: "How many?", default: null, defaultValue: 2 },
      { ...none, text: "How many?", proposal: 2, rest: { default: null } },
    ],
    [
      "proposes nothing where null is proposed",
      { question: "How many?", default: null },
      { ...none, text: "How many?", rest: { default: null } },
    ],
    ["is none without a text", { options: ["a"] }, undefined],
    ["is none as a list", ["a"], undefined],
    ["is none as a number", 7, undefined],
  ];
  for (const [name, value, shown] of cases) it(name, () => assert.deepEqual(freeQuestion(value), shown));
});
