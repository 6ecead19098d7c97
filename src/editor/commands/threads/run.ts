/** What can be done with a run of the panel in front: started again, taken elsewhere as code, looked up. */

import * as vscode from "vscode";
import type { RunCreate } from "../../../api/agentServer/wire.ts";
import type { RunCall } from "../../../run/code/call.ts";
import { curlCode } from "../../../run/code/curl.ts";
import { pythonCode } from "../../../run/code/python.ts";
import { typescriptCode } from "../../../run/code/typescript.ts";
import { parseJson } from "../../../run/json/json.ts";
import { redact } from "../../../run/json/redact.ts";
import { runsIn } from "../../../run/panel/landmarks.ts";
import type { Entry } from "../../../run/panel/transcript.ts";
import { bodyAgain } from "../../../run/session/runBody.ts";
import { confirmAct } from "../../connections/guard.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { textOf } from "../../kit/ask/meant.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import type { CommandId } from "../../kit/ids.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { showInformation } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { oneLine } from "../../kit/words.ts";
import type { RunPanel } from "../../runPanel/runPanel.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { requestHeaders } from "../../threads/inputs/requestHeaders.ts";
import { chooseRun } from "./runChoice.ts";

const longestShown = 300;

/** Started on a run of the transcript; else what is run again is the newest one, and others are asked for. */
export function commands(services: Services, { panels }: { readonly panels: RunPanels }): CommandsOf<"run"> {
  const panel = (): RunPanel => panelIn(panels);
  const copied = async (value: unknown, name: string, code: (call: RunCall) => string): Promise<void> => {
    const { call, isMasked } = await callOf(services, panel(), await runMeant(panel(), value));
    await copyLines([code(call)], `run as ${name}`);
    if (isMasked)
      void showInformation("A credential in the copied run is masked as •••. Put it in where you run it.");
  };
  return {
    "agentOperations.run.actions": async () => {
      const runId = await runMeant(panel(), undefined);
      const hasTrace = runIn(panel().session.entries, runId)?.trace !== undefined;
      const choices = actions.filter(({ value }) => value !== "openTrace" || hasTrace);
      const verb = await askChoice({ title: "Run" }, choices, { placeholder: "What is to be done with it?" });
      const elsewhere: Readonly<Record<string, CommandId>> = {
        compare: "agentOperations.comparison.begin",
        sendInput: "agentOperations.comparison.sendInput",
      };
      const command = elsewhere[verb] ?? `agentOperations.run.${verb}`;
      await vscode.commands.executeCommand(command, { runId });
    },
    "agentOperations.run.again": async (value) => {
      const front = panel();
      const body = await inputAgain(services, front, runIdIn(value) ?? newestInput(front));
      await confirmAgain(services, front, body, "Run this again?");
      await front.run(body);
    },
    "agentOperations.run.againInNewThread": async (value) => {
      const front = panel();
      const body = await inputAgain(services, front, runIdIn(value) ?? newestInput(front));
      await confirmAgain(services, front, body, "Run this again in a new thread?");
      await panels.openNew({ ...front.target, assistantId: body.assistant_id }).run(body);
    },
    "agentOperations.run.copyId": async (value) => {
      await copyLines([await runMeant(panel(), value)], "run ID");
    },
    "agentOperations.run.copyCurl": (value) => copied(value, "cURL", curlCode),
    "agentOperations.run.copyTypeScript": (value) => copied(value, "TypeScript", typescriptCode),
    "agentOperations.run.copyPython": (value) => copied(value, "Python", pythonCode),
    "agentOperations.run.openTrace": async (value) => {
      const front = panel();
      const trace = runIn(front.session.entries, await runMeant(front, value))?.trace;
      if (trace === undefined)
        throw new NotPossibleError(
          "The server gives no address of this run's trace.",
          "Open its project in the platform's console.",
        );
      await vscode.env.openExternal(vscode.Uri.parse(trace, true));
    },
  };
}

const actions = [
  { label: "Run again", value: "again" },
  { label: "Run again in a new thread", value: "againInNewThread" },
  { label: "Compare with…", value: "compare" },
  { label: "Send the same input to…", value: "sendInput" },
  { label: "Copy as cURL", value: "copyCurl" },
  { label: "Copy as TypeScript", value: "copyTypeScript" },
  { label: "Copy as Python", value: "copyPython" },
  { label: "Copy its ID", value: "copyId" },
  { label: "Open its trace", value: "openTrace" },
] as const;

export function panelIn({ inFront }: RunPanels): RunPanel {
  if (inFront !== undefined) return inFront;
  throw new NotPossibleError("No thread is in front.", "Open one, and try it there.");
}

/** The run that the page's menu names. */
export function runIdIn(value: unknown): string | undefined {
  return textOf(value, "runId");
}

async function runMeant(panel: RunPanel, value: unknown): Promise<string> {
  const named = runIdIn(value);
  if (named !== undefined) return named;
  const entryId = await chooseRun(panel, "Choose a Run");
  return runsIn(panel.session.entries).find(({ run }) => run.id === entryId)?.run.runId ?? "";
}

function runIn(entries: readonly Entry[], wanted: string) {
  return runsIn(entries).find(({ run }) => run.runId === wanted)?.run;
}

/** The newest run that was given something; answers and what goes on from them are given nothing. */
export function newestInput({ session }: RunPanel): string {
  const runs = runsIn(session.entries);
  const newest = runs.findLast(({ asked }) => asked !== undefined) ?? runs.at(-1);
  if (newest !== undefined) return newest.run.runId;
  throw new NotPossibleError("This thread has no runs yet.", "Write a message and run it.");
}

/** What a run was given, as its server keeps it, else as far as the transcript shows it. */
async function bodyOf(
  services: Services,
  { target, thread, session }: RunPanel,
  runId: string,
): Promise<RunCreate> {
  const { runs } = services.threadHosts.of(target).runs;
  const run = thread && (await runs.get(thread.threadId, runId, {}));
  const body = run && bodyAgain(run);
  if (body !== undefined) return body;
  const said = session.entries.find(
    (entry) =>
      entry.kind === "message" && entry.role === "human" && entry.runId === runId && entry.lane === "",
  );
  if (said?.kind === "message" && run !== undefined)
    return {
      assistant_id: run.assistant_id,
      input: { messages: [{ role: "user", content: said.text }] },
    };
  throw new NotPossibleError(
    "The server does not tell what this run was given.",
    "Write it anew in the composer.",
  );
}

/** What a run was given, to be given again; throws for one that brought an answer. */
export async function inputAgain(services: Services, panel: RunPanel, runId: string): Promise<RunCreate> {
  const body = await bodyOf(services, panel, runId);
  if (body.command === undefined) return body;
  throw new NotPossibleError(
    "This run brought the answer to a question, and that question waits no more.",
    "Run the one again that asked.",
  );
}

async function confirmAgain(
  { connections }: Services,
  { target }: RunPanel,
  { input }: RunCreate,
  question: string,
): Promise<void> {
  const detail = oneLine(JSON.stringify(input)).slice(0, longestShown);
  await confirmAct(connections.resolve(target.connectionId), {
    question,
    detail,
    verb: "Run",
    always: false,
  });
}

/** The request of a run, without its credentials. */
async function callOf(
  services: Services,
  panel: RunPanel,
  runId: string,
): Promise<{ readonly call: RunCall; readonly isMasked: boolean }> {
  const { target, thread } = panel;
  const server = await services.agentServers.find(target);
  const isAgentServer = target.server.kind !== "managedAgent" && target.server.kind !== "chatBackend";
  if (server === undefined || thread === undefined || !isAgentServer)
    throw new NotPossibleError(
      "The platform's SDK does not speak to this kind of server.",
      "Copy the run's ID, or run it again here.",
    );
  const text = JSON.stringify(await bodyOf(services, panel, runId));
  const masked = redact(text);
  const body = parseJson(masked) as RunCreate | undefined;
  if (body === undefined)
    throw new NotPossibleError(
      "This run was given credentials that can't be told from the rest.",
      "Run it again here, or write it anew.",
    );
  const headers = await requestHeaders(services, target.connectionId, server.url);
  return {
    call: { url: server.url, threadId: thread.threadId, headers, body },
    isMasked: masked !== text,
  };
}
