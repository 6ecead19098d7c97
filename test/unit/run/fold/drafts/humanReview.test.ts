import { deepEqual, equal, match } from "node:assert/strict";
import {
  actionRequests,
  answerText,
  decisionProblem,
  freeQuestion,
  sameRequests,
} from "../../../../../src/run/fold/drafts/humanReview.ts";
import { resumeValue } from "../../../../../src/run/session/answerSteps.ts";
import type { ActionRequest } from "../../../../../src/run/panel/transcript.ts";

const usual = ["approve", "edit", "reject"] as const;
const request = (name: string, allowed: ActionRequest["allowed"] = usual): ActionRequest => ({
  name,
  args: {},
  allowed,
});

describe("What an agent asks to be allowed", () => {
  it("is read in every spelling, each action with the decisions that its own review allows", () => {
    const value = {
      action_requests: [
        { name: "send", args: { to: "Ann" }, description: "Mail" },
        { action: "drop", arguments: { path: "a" } },
        7,
        {},
      ],
      review_configs: [
        { actionName: "drop", allowedDecisions: ["reject", "later"] },
        { action_name: "other", allowed_decisions: ["respond"] },
        "odd",
        { action_name: "send", allowed_decisions: [] },
      ],
    };
    deepEqual(actionRequests(value), [
      { name: "send", args: { to: "Ann" }, allowed: usual, description: "Mail" },
      { name: "drop", args: { path: "a" }, allowed: ["reject"] },
      { name: "action", args: {}, allowed: usual },
    ]);
  });

  it("has by its place the review that names no action", () => {
    const value = {
      actionRequests: [{ name: "a" }, { name: "b" }],
      reviewConfigs: [{ allowed_decisions: ["approve"] }, { allowed_decisions: ["reject"] }],
    };
    deepEqual(
      actionRequests(value).map(({ allowed }) => allowed),
      [["approve"], ["reject"]],
    );
  });

  it("is nothing in a value of another shape", () => {
    for (const value of [null, "text", [], {}, { action_requests: {} }]) deepEqual(actionRequests(value), []);
  });

  it("is the same where the actions are, whatever may be decided about them", () => {
    equal(sameRequests([request("a")], [request("a", ["approve"])]), true);
    equal(sameRequests([request("a")], [request("b")]), false);
    equal(sameRequests([request("a")], [request("a"), request("a")]), false);
    equal(sameRequests([request("a")], [{ ...request("a"), args: { n: 1 } }]), false);
  });
});

describe("A person's decisions", () => {
  it("are one for each action, of a kind that it allows", () => {
    const both = [request("a"), request("b", ["approve"])];
    equal(decisionProblem(both, [{ type: "reject" }, { type: "approve" }]), undefined);
    equal(
      decisionProblem(both, [{ type: "approve" }]),
      "2 decisions are needed, one for each action; 1 were given.",
    );
    match(decisionProblem([], [{ type: "approve" }]) ?? "", /^0 decisions are needed/);
    equal(
      decisionProblem(both, [{ type: "approve" }, { type: "reject" }]),
      "The agent does not allow “reject” for b; it allows approve.",
    );
  });

  it("are sent in both spellings, and told in words", () => {
    const edited_action = { name: "a", args: { n: 1 } };
    const resume = resumeValue([
      { type: "approve" },
      { type: "edit", edited_action },
      { type: "reject", message: "no" },
    ]);
    deepEqual(resume, {
      decisions: [
        { type: "approve" },
        { type: "edit", edited_action, editedAction: edited_action },
        { type: "reject", message: "no" },
      ],
    });
    equal(answerText(resume, undefined), 'approve; edit a {"n":1}; reject: no');
    equal(answerText({ i: resume, j: "other" }, "i"), 'approve; edit a {"n":1}; reject: no');
    equal(answerText({ j: "other" }, "i"), '{"j":"other"}');
    equal(answerText({ i: "plain" }, "i"), "plain");
    equal(answerText({ i: "plain" }, undefined), '{"i":"plain"}');
    equal(answerText("plain", "i"), "plain");
    equal(answerText({ decisions: [7, {}, { editedAction: {} }] }, undefined), "; decided; decided  {}");
  });
});

describe("The options of a question", () => {
  it("may be chosen together where a list is proposed or one of the usual names says so", () => {
    const several = (more: object): boolean | undefined =>
      freeQuestion({ question: "Which?", options: ["a"], ...more })?.several;
    equal(several({}), false);
    equal(several({ default: ["a"] }), true);
    for (const key of ["multiple", "multi", "multi_select", "multiSelect"]) {
      equal(several({ [key]: true }), true, key);
      equal(several({ [key]: "yes" }), false, key);
    }
    equal(freeQuestion({ question: "Which?", multiple: true })?.several, false);
    equal(freeQuestion({ question: "Which?", options: Array(50).fill(1) })?.options.length, 50);
  });

  it("have a name, and the value that is sent for it", () => {
    const options = [
      { label: "A", key: "k" },
      { value: "v" },
      { label: 7, value: 8 },
      { id: null },
      ["no"],
      null,
    ];
    deepEqual(freeQuestion({ prompt: "Which?", choices: options })?.options, [
      { label: "A", value: "k" },
      { label: "v", value: "v" },
    ]);
  });

  it("are read from the first list of a length to choose from", () => {
    const found = freeQuestion({ text: "Which?", options: [], choices: ["a"] });
    deepEqual([found?.options.length, found?.rest], [1, { options: [] }]);
  });
});
