import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AGENT_SCHEME,
  COMMANDS,
  CONTEXTS,
  DEBUG_TYPE,
  PARQUET_EDITOR,
  COMPARISON_PANEL,
  RUN_PANEL,
  SCHEME,
  SECTION,
  SETTINGS,
  STATE_SCHEME,
  VIEW_CONTAINER,
  VIEWS,
} from "../../src/editor/kit/ids.ts";
import { clauses, completing, contributes, manifest, root, steps } from "./contributions.ts";

/** The editor's own. */
const editorsCommands: readonly string[] = [
  "workbench.action.files.openFolder",
  ...Object.values(VIEWS).map((view) => `${view}.focus`),
];

describe("Manifest", () => {
  it("contributes exactly the commands that have an id", () => {
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(COMMANDS));
  });

  it("puts every command under the category Agents", () => {
    assert.deepEqual(
      contributes.commands.filter(({ category }) => category !== "Agents"),
      [],
    );
  });

  it("contributes exactly the views, in our container", () => {
    assert.deepEqual(Object.keys(contributes.views), [VIEW_CONTAINER]);
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [VIEW_CONTAINER],
    );
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(sorted(views.map(({ id }) => id)), sorted(Object.values(VIEWS)));
  });

  it("contributes exactly the editors that have an id", () => {
    assert.deepEqual(
      contributes.customEditors.map(({ viewType }) => viewType),
      [PARQUET_EDITOR],
    );
  });

  it("contributes exactly the type of debug configurations that has an id", () => {
    assert.deepEqual(
      contributes.debuggers.map(({ type }) => type),
      [DEBUG_TYPE],
    );
  });

  it("contributes exactly the settings that have an id", () => {
    const known = Object.values(SETTINGS).map((name) => `${SECTION}.${name}`);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(known));
  });

  it("has each setting in the README's table, with what it is by default", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const rows = [...readme.matchAll(/^\| `(\w+\.[\w.]+)` +\| (\S+) +\|/gm)].map(([, name, by]) => [
      name,
      by,
    ]);
    const spelled = (value: unknown): string => {
      if (typeof value === "boolean") return value ? "on" : "off";
      return typeof value === "number" ? String(value) : "none";
    };
    const settings = Object.entries(contributes.configuration.properties);
    assert.deepEqual(
      rows.toSorted(),
      settings.map(([name, setting]) => [name, spelled(setting.default)]).toSorted(),
    );
  });

  it("lets no workspace say where keys are sent", () => {
    for (const name of [SETTINGS.connections, SETTINGS.defaultConnection]) {
      const setting = `${SECTION}.${name}`;
      assert.equal(contributes.configuration.properties[setting]?.scope, "application", setting);
      assert(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(setting), setting);
    }
  });

  it("names only known commands in menus, keybindings, links and walkthroughs", () => {
    const linked = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...steps.map(({ description }) => description),
    ]
      .flatMap((markdown) => [...markdown.matchAll(/\(command:([^)?]+)/g)])
      .map((match) => match[1] ?? "");
    const used = [...clauses.flatMap(({ command }) => command ?? []), ...linked, ...completing("onCommand")];
    assert.deepEqual(
      used.filter((id) => ![...(COMMANDS as readonly string[]), ...editorsCommands].includes(id)),
      [],
    );
  });

  it("asks in when-clauses only for known views, panels and context keys", () => {
    const known = [...Object.values(VIEWS), ...Object.values(CONTEXTS), RUN_PANEL, VIEW_CONTAINER];
    const whens = [...clauses.map(({ when }) => when), ...completing("onContext")];
    const asked = whens.flatMap((when) => when?.match(new RegExp(`\\b${SECTION}[\\w.]*`, "g")) ?? []);
    assert.deepEqual(
      asked.filter((name) => !known.includes(name)),
      [],
    );
  });

  it("asks for every context key that the code sets", () => {
    const whens = [...clauses.map(({ when }) => when ?? ""), ...completing("onContext")].join("\n");
    assert.deepEqual(
      Object.values(CONTEXTS).filter((key) => !whens.includes(key)),
      [],
    );
  });

  const inPanel = `activeWebviewPanelId == ${RUN_PANEL} && !terminalFocus`;
  const ofPanel = contributes.keybindings.filter(({ when = "" }) => when.startsWith(inPanel));

  it("asks with each key of a view for the row that has the focus in it", () => {
    const ofViews = contributes.keybindings.filter(
      ({ when = "" }) => !when.startsWith(inPanel) && !when.startsWith("editorTextFocus && agentOperations."),
    );
    assert(ofViews.length >= 8, String(ofViews.length));
    for (const { command = "", when = "", args } of ofViews) {
      const view = /^focusedView == (\S+) && listFocus && !inputFocus/.exec(when)?.[1];
      assert.deepEqual(args, [{ $treeViewId: view, $focusedTreeItem: true }], command);
    }
  });

  it("has each key of the run panel once, on every system, and lists it in the README", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8").replace(/<\/?kbd>/g, "");
    const spelled = (key: string): string =>
      key
        .split("+")
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join("+");
    assert(ofPanel.length >= 8, String(ofPanel.length));
    for (const { command = "", key, mac = "" } of ofPanel) {
      assert.deepEqual(
        ofPanel.filter((other) => other.key === key || other.mac === mac).map((other) => other.command),
        [command],
      );
      assert(readme.includes(`${spelled(key)} `) && readme.includes(`${spelled(mac)} `), `${key}, ${mac}`);
    }
  });

  it("leaves Enter to open rows, on every system", () => {
    const keys = contributes.keybindings.flatMap(({ key, mac = key }) => [key, mac]);
    assert.deepEqual(
      keys.filter((key) => /enter/i.test(key)),
      [],
    );
  });

  it("activates on use alone", () => {
    assert.deepEqual(manifest.activationEvents, [
      `onWebviewPanel:${RUN_PANEL}`,
      `onWebviewPanel:${COMPARISON_PANEL}`,
      `onFileSystem:${SCHEME}`,
      `onFileSystem:${AGENT_SCHEME}`,
      `onFileSystem:${STATE_SCHEME}`,
      "workspaceContains:**/langgraph.json",
      "onDebugResolve:agentGraphs",
      "onDebugDynamicConfigurations:agentGraphs",
    ]);
  });

  it("names only pictures that exist", () => {
    const pictures = [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...Object.values(contributes.views)
        .flat()
        .map(({ icon }) => icon),
      ...steps.map(({ media }) => media.svg),
    ];
    assert.deepEqual(
      pictures.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});

function sorted(ids: readonly string[]): readonly string[] {
  return [...ids].sort();
}
