/** Adding, editing, removing and choosing connections, and their keys. */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { keyProblem } from "../../connections/apiKeys.ts";
import { originsOf } from "../../connections/connectionSettings.ts";
import { VIEWS } from "../../kit/ids.ts";
import { fillForm, type Form, type FormField, reviewForm } from "../../kit/ask/form.ts";
import { askChoice, askText, askThen } from "../../kit/ask/questions.ts";
import { refOf, textIn } from "../../kit/ask/meant.ts";
import { oneLine } from "../../kit/words.ts";
import { confirm } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import type { ConnectionReports } from "../../documents/connectionReports.ts";
import { connectionTestCommands, tryConnection } from "./connectionTest.ts";
import { chooseConnection, describe } from "./connectionChoice.ts";
import { AUTH_NAMES, type Draft, isKeyElsewhere } from "./connectionDraft.ts";
import { type Field, FIELDS, KINDS_WITH, settingOf } from "./connectionFields.ts";
import { tried } from "./connectionTrial.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { startLocalPlatform } from "./localPlatform.ts";

/** What a new connection is asked for before the summary; the rest can be chosen there. */
const asked: readonly Field[] = ["kind", "url", "controlPlaneUrl", "agentServers", "name", "key"];

interface Surfaces {
  readonly reports: ConnectionReports;
  readonly views: Pick<Views, "deployments">;
}

/** The commands of connections. */
export function commands(services: Services, { reports, views }: Surfaces): CommandsOf<"connection"> {
  return {
    ...connectionTestCommands(services, reports),
    "agentOperations.connection.add": (start) => add(services, views.deployments, start),
    "agentOperations.connection.edit": (node) => edit(services, node),
    "agentOperations.connection.remove": (node) => remove(services, node),
    "agentOperations.connection.switchDefault": (node) => switchDefault(services, node),
    "agentOperations.connection.setApiKey": (node) => setApiKey(services, node),
    "agentOperations.connection.clearApiKey": (node) => clearApiKey(services, node),
    "agentOperations.connection.hide": async (node) => {
      const named = refOf(node, "connectionId");
      if (named !== undefined) await services.hiddenConnections.hide(named.connectionId);
    },
    "agentOperations.connection.showOnly": async (node) => {
      const named = refOf(node, "connectionId");
      if (named !== undefined) await services.hiddenConnections.showOnly(named.connectionId);
    },
    "agentOperations.connection.showAll": () => services.hiddenConnections.showAll(),
    "agentOperations.connection.actions": (node) => actions(services, node),
  };
}

/** A keybinding or another caller may give the address to start from, as `{ "url": … }`. */
async function add(services: Services, view: Views["deployments"], start: unknown): Promise<void> {
  const { connections } = services;
  const url = textIn(start, "url");
  const empty: Draft = { kind: "agentServer", name: "", keyOrigins: [], ...(url !== undefined && { url }) };
  const draft = await fillForm(connectionForm("Add Connection"), empty);
  if (draft.kind === "localPlatform") return startLocalPlatform(services);
  const wanted = await tried(services, draft, (again) => changeConnection("Add Connection", again));
  const first = connections.list().length === 0;
  const added = await addWithKey(services, wanted);
  if (first) await connections.setDefault(added.id);
  await focusView("deployments");
  await view.revealConnection(added.id);
}

/** Shows an existing connection's summary for changes; asks for the key again when its address changed. */
function changeConnection(title: string, start: Draft): Promise<Draft> {
  let draft = start;
  return askThen(
    async () => (draft = await reviewForm(connectionForm(title), draft)),
    (reviewed) =>
      reviewed.key !== undefined || !isKeyElsewhere(reviewed)
        ? Promise.resolve(reviewed)
        : FIELDS.key.ask({ title: `${title}: the address changed`, canGoBack: true }, reviewed),
  );
}

function connectionForm(title: string): Form<Draft> {
  const fields = Object.entries(FIELDS) as readonly [Field, FormField<Draft>][];
  return {
    title,
    fields: fields.map(([name, field]) => ({
      ...field,
      has: ({ kind }) => KINDS_WITH[name].includes(kind),
      isAsked: () => asked.includes(name),
    })),
    accept: ({ name }) => ({ label: "$(check) Save", description: name }),
    // The Local Platform says everything about itself.
    isComplete: ({ kind }) => kind === "localPlatform",
  };
}

/** A connection that can't be written leaves no key behind: nobody could find it any more. */
async function addWithKey(services: Services, draft: Draft): Promise<ConnectionSetting> {
  const { connections, apiKeys } = services;
  let takeKeyBack = (): Promise<void> => Promise.resolve();
  try {
    return await connections.add(settingOf(draft), (setting) => {
      takeKeyBack = () => apiKeys.clear(setting.id);
      return keepKey(services, setting, draft);
    });
  } catch (error) {
    await takeKeyBack();
    throw error;
  }
}

async function edit(services: Services, node: unknown): Promise<void> {
  const { connections, apiKeys } = services;
  const before = await chooseConnection(services, node, {
    placeholder: "Which connection do you want to change?",
    accept: isSetting,
  });
  const { id, ...fields } = before;
  const keyOrigins = await apiKeys.origins(id);
  const title = `Edit “${before.name}”`;
  const changed = await changeConnection(title, { ...fields, keyOrigins });
  const draft = reachesElsewhere(before, changed)
    ? await tried(services, changed, (again) => changeConnection(title, again), before)
    : changed;
  const after = { id, ...settingOf(draft) };
  await keepKey(services, after, draft);
  // What was confirmed was about servers that another platform named.
  if (isElsewhere(before, after)) await apiKeys.forgetConfirmed(id);
  await connections.update(after);
}

/** Whether who answers may be another one, or may answer otherwise: a name or a color is not tried. */
function reachesElsewhere(before: ConnectionSetting, draft: Draft): boolean {
  const ways = ({
    url,
    controlPlaneUrl,
    agentServers,
    workspaceId,
    dialect,
    auth,
    headers,
  }: typeof draft | typeof before) =>
    [url, controlPlaneUrl, agentServers, workspaceId, dialect, auth, headers] as const;
  if (draft.kind === "localPlatform") return false;
  return draft.key !== undefined || !isDeepStrictEqual(ways(before), ways(draft));
}

function isElsewhere(before: ConnectionSetting, after: ConnectionSetting): boolean {
  const addresses = ({ url, controlPlaneUrl }: ConnectionSetting) =>
    originsOf({ id: "", name: "", kind: "platform", url: url ?? "", controlPlaneUrl: controlPlaneUrl ?? "" });
  return addresses(before).join(" ") !== addresses(after).join(" ");
}

/** Stores what was typed; a key is never carried over to an origin that it was not entered for. */
async function keepKey({ apiKeys }: Services, after: ConnectionSetting, draft: Draft): Promise<void> {
  if (draft.key !== undefined && draft.key !== "") return apiKeys.set(after.id, originsOf(after), draft.key);
  if (isKeyElsewhere(draft)) await apiKeys.clear(after.id);
}

/** The graphs of the workspace are no entry of the settings. */
function isSetting({ kind }: ConnectionSetting): boolean {
  return kind !== "workspaceGraphs";
}

async function remove(services: Services, node: unknown): Promise<void> {
  const connection = await chooseConnection(services, node, {
    placeholder: "Which connection do you want to remove?",
    accept: isSetting,
  });
  const detail =
    connection.kind === "localPlatform"
      ? "The Local Platform and its data stay on this machine."
      : "Its API key is deleted too. Nothing on the server changes.";
  await confirm(`Remove the connection “${connection.name}”?`, detail, "Remove");
  await services.connections.remove(connection.id);
  await services.apiKeys.clear(connection.id);
  await services.apiKeys.forgetConfirmed(connection.id);
}

async function switchDefault(services: Services, node: unknown): Promise<void> {
  const { connections } = services;
  const chosen = await chooseConnection(services, node, {
    placeholder: "Which connection should commands use when none is chosen?",
    alwaysAsk: true,
  });
  await connections.setDefault(chosen.id);
}

async function setApiKey(services: Services, node: unknown): Promise<void> {
  const connection = await chooseWithKey(services, node, "Which connection is the key for?");
  services.connections.resolve(connection.id);
  const origins = originsOf(connection);
  const scheme = AUTH_NAMES[connection.auth ?? "apiKey"];
  const key = await askText(
    { title: `${scheme} of “${connection.name}”` },
    {
      prompt: `Kept in secret storage and sent to ${origins.join(", ")} only.`,
      placeholder: `${scheme}, or \${env:NAME} for an environment variable`,
      secret: true,
      problem: (typed) =>
        typed === "" ? "Enter it, or press Escape to keep what is there." : keyProblem(typed),
    },
  );
  await services.apiKeys.set(connection.id, origins, key);
  void tryConnection(services, connection.id);
}

async function clearApiKey(services: Services, node: unknown): Promise<void> {
  const { id, name } = await chooseWithKey(services, node, "Whose key do you want to delete?");
  const detail = "Requests go without a key until you set one again.";
  await confirm(`Delete the API key of “${name}”?`, detail, "Delete Key");
  await services.apiKeys.clear(id);
}

function chooseWithKey(services: Services, node: unknown, placeholder: string): Promise<ConnectionSetting> {
  return chooseConnection(services, node, {
    placeholder,
    accept: (setting) => isSetting(setting) && setting.kind !== "localPlatform",
  });
}

/** What the status bar item offers, of the connection that it shows. */
async function actions({ connections }: Services, node: unknown): Promise<void> {
  const fallback = connections.default();
  const shown = connections.get(refOf(node, "connectionId")?.connectionId ?? "") ?? fallback;
  const target = shown === undefined ? undefined : { connectionId: shown.id };
  const rows = [
    { label: "$(list-tree) Show Deployments", command: `${VIEWS.deployments}.focus` },
    { label: "$(bell) Show Inbox", command: `${VIEWS.inbox}.focus` },
    ...(shown === undefined
      ? []
      : [
          ["$(pulse) Test Connection", "agentOperations.connection.test"] as const,
          ["$(edit) Edit Connection…", "agentOperations.connection.edit"] as const,
        ].map(([label, command]) => ({ label, description: oneLine(shown.name), command, target }))),
    { label: "$(add) Add Connection…", command: "agentOperations.connection.add" },
    { label: "Switch default to", kind: vscode.QuickPickItemKind.Separator, command: "" },
    ...connections.list().map((connection) => ({
      ...describe(connection, fallback?.id),
      command: "agentOperations.connection.switchDefault",
      target: { connectionId: connection.id },
    })),
  ];
  const choices = rows.map((row) => ({ ...row, value: row }));
  const chosen = await askChoice({ title: "Agents" }, choices, { placeholder: "Choose what to do" });
  await vscode.commands.executeCommand(chosen.command, "target" in chosen ? chosen.target : undefined);
}
