import { deepEqual, equal, match } from "node:assert/strict";
import type { ConnectionKind, ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import type { ConnectionState } from "../../../../src/editor/connections/connectionStates.ts";
import type { ConnectionFacts } from "../../../../src/editor/views/platform/connectionRow.ts";
import { editor } from "../fakeVscode.ts";

const { connectionHeading, connectionRow, connectionTooltip } =
  await import("../../../../src/editor/views/platform/connectionRow.ts");
const { markedLabel } = await import("../../../../src/editor/connections/mark.ts");
const { FIELDS } = await import("../../../../src/editor/commands/connections/connectionFields.ts");

/** What the editor makes of an icon or a color. */
interface Made {
  readonly parts: readonly unknown[];
}

const url = "https://agents.test";
const control = { controlPlaneUrl: "https://control.test" };
const at = new Date(2026, 10, 24, 9, 5).getTime();

describe("The row of a connection", () => {
  it("says first that it is protected, by shield, color, words and hover", () => {
    const { description, icon, spoken } = rowOf({ ...control, protected: "word" }, "unreachable");
    deepEqual(icon, ["shield", "charts.red"]);
    equal(description, "protected · unreachable · agents.test");
    equal(spoken, `Connection Production ${description}`);
    match(
      hoverOf({ ...control, protected: "word" }),
      /^Production\nPlatform\nProtected: changes ask for a word\n/,
    );
    deepEqual(rowOf({ ...control, protected: "click", color: "blue" }).icon, ["shield", "charts.blue"]);
    equal(markedLabel({ name: "Production", protected: "word" }), "$(shield) Production");
  });

  for (const [state, words] of [
    [undefined, "agents.test"],
    ["reachable", "agents.test"],
    ["unreachable", "unreachable · agents.test"],
    ["refused", "key refused · agents.test"],
    ["failing", "answers with errors · agents.test"],
  ] as const)
    it(`says how it was seen last: ${state ?? "not yet"}`, () =>
      equal(rowOf(control, state).description, words));

  it("says in its hover when that was, and beside a title where it has no row", () => {
    match(hoverOf(control), /\nNot asked yet$/);
    match(hoverOf(control, "refused"), /\nKey refused at .*9:05/);
    equal(connectionHeading(facts(control, "unreachable")), "Production · unreachable");
  });

  it("says that it has no control plane, and what to do", () => {
    equal(rowOf({}).description, "agents.test · no control plane");
    match(hoverOf({}), /No control plane: .* Edit the connection to enter its address\.$/);
    equal(rowOf({ kind: "agentServer" }).description, "agents.test");
  });

  it("has the icon that its kind has where it is added, which begins with an unknown number of steps", async () => {
    editor.asked.length = 0;
    const empty = { kind: "agentServer", name: "", keyOrigins: [] } as const;
    await FIELDS.kind.ask({ title: "Add Connection", step: 1, totalSteps: 5 }, empty).catch(() => undefined);
    const [asked] = editor.asked;
    const kinds: readonly ConnectionKind[] = ["agentServer", "platform", "protocol", "localPlatform"];
    deepEqual(
      kinds.map((kind) => rowOf({ kind }).icon[0]),
      asked?.labels.map((label) => /\$\((.+)\)/.exec(label)?.[1]),
    );
    deepEqual([asked?.step, asked?.totalSteps], [1, undefined]);
  });
});

function facts(more: Partial<ConnectionSetting>, state?: ConnectionState): ConnectionFacts {
  const setting: ConnectionSetting = { id: "p", name: "Production", kind: "platform", url, ...more };
  return { setting, state: { kind: "stopped" }, seen: state && { state, at } };
}

/** The row, its icon as name and color. */
function rowOf(more: Partial<ConnectionSetting>, state?: ConnectionState) {
  const { description, icon, spoken } = connectionRow(facts(more, state));
  const [name, color] = (icon as unknown as Made).parts;
  return { description, spoken, icon: [name, ...((color as Made | undefined)?.parts ?? [])] };
}

function hoverOf(more: Partial<ConnectionSetting>, state?: ConnectionState): string {
  return connectionTooltip(facts(more, state));
}
