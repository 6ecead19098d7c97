/** Inputs that are kept as files: saved from the composer of the panel in front, and opened into one. */

import * as vscode from "vscode";
import type { AssistantChoice } from "../../../run/panel/messages.ts";
import type { ThreadTarget } from "../../connections/connection.ts";
import type { InputFiles } from "../../documents/inputFiles.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { INPUT_SUFFIX } from "../../kit/ids.ts";
import { confirm, showInformation, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { oneLine, withoutIcons } from "../../kit/words.ts";
import type { RunPanel } from "../../runPanel/runPanel.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { maskedCredential, ownerIn, ownerName, type SavedInput } from "../../threads/inputs/savedInput.ts";
import { chooseAgentServer } from "./threadChoice.ts";

interface Surfaces {
  readonly inputFiles: InputFiles;
  readonly panels: RunPanels;
}

/** Opened on a file, an input comes into a new thread; from a panel, into its composer. */
export function commands(services: Services, { inputFiles, panels }: Surfaces): CommandsOf<"input"> {
  return {
    "agentOperations.input.save": () => {
      if (panels.inFront === undefined)
        throw new NotPossibleError(
          "No thread is in front.",
          "Open one, and write there what is to be saved.",
        );
      panels.inFront.focus({ type: "askInput" });
    },
    "agentOperations.input.open": async (value) => {
      const named = value instanceof vscode.Uri ? value : inputFiles.active;
      const front = named === undefined ? panels.inFront : undefined;
      const saved = await inputFiles.read(named ?? (await chooseFile(inputFiles, front)));
      if (front === undefined) await openIn(services, panels, saved);
      else await fillFront(services, panels, front, saved);
      if (JSON.stringify(saved).includes(maskedCredential))
        void showInformation(
          `A credential in this input is masked as ${maskedCredential}. Put it in before you run it.`,
        );
    },
  };
}

/** Lets a person choose among the files of the workspace; those of the thread's own agent come first. */
async function chooseFile(inputFiles: InputFiles, front: RunPanel | undefined): Promise<vscode.Uri> {
  const files = await inputFiles.list();
  if (files.length === 0)
    throw new NotPossibleError(
      `This workspace has no saved inputs (*${INPUT_SUFFIX}).`,
      "Write one in a composer, and save it there.",
    );
  const graph = front?.lastAssistant?.graph;
  const choices = files.map(({ uri, reading }) => ({
    label: withoutIcons(vscode.workspace.asRelativePath(uri).slice(0, -INPUT_SUFFIX.length)),
    description: "saved" in reading ? withoutIcons(ownerName(reading.saved)) : "can't be used",
    detail: "saved" in reading ? shortOf(reading.saved) : reading.problem,
    isOwn: "saved" in reading && graph !== undefined && reading.saved.graph_id === graph,
    value: uri,
  }));
  const sorted = choices.toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
  return askChoice({ title: "Open Saved Input" }, sorted, { placeholder: "An input of this workspace" });
}

function shortOf({ message, input }: SavedInput): string {
  return oneLine(message ?? JSON.stringify(input)).slice(0, 120);
}

/** Into a new thread, on a server that a person chooses. */
async function openIn(services: Services, panels: RunPanels, saved: SavedInput): Promise<void> {
  const target: ThreadTarget = await chooseAgentServer(services, "Open Saved Input");
  const { id } = await agentFor(services, target, saved);
  panels.openNew({ ...target, assistantId: id }).fill(id, saved);
}

/** Into the panel in front; a thread that is another agent's asks first. */
async function fillFront(
  services: Services,
  panels: RunPanels,
  front: RunPanel,
  saved: SavedInput,
): Promise<void> {
  const agent = await agentFor(services, front.target, saved);
  const { lastAssistant: last } = front;
  if (last === undefined || last.id === agent.id) {
    front.fill(agent.id, saved);
    return;
  }
  const [there, here] = ["Open in New Thread", "Use It Here Anyway"];
  const answer = await showWarning(
    `This input is of “${agent.name}”, and “${last.name}” ran in this thread.`,
    { modal: true, detail: `Here “${agent.name}” would go on from what “${last.name}” left.` },
    there,
    here,
  );
  if (answer === here) front.fill(agent.id, saved);
  if (answer === there)
    panels.openNew({ ...front.target, threadId: undefined, assistantId: agent.id }).fill(agent.id, saved);
}

/** The agent that it was saved for, or after a second word another one. Throws CancellationError when nobody chose. */
async function agentFor(
  { threadHosts }: Services,
  target: ThreadTarget,
  saved: SavedInput,
): Promise<AssistantChoice> {
  const { name, assistants } = await threadHosts.of(target).facts(undefined, {});
  const owner = ownerIn(saved, assistants);
  if (owner !== undefined) return owner;
  const [only, ...others] = assistants;
  if (only === undefined) throw new NotPossibleError(`“${name}” has no agents.`, "Choose another server.");
  await confirm(
    `This input was saved for “${ownerName(saved)}”, which “${name}” does not have.`,
    "Another agent may take something else, and do something else with it.",
    "Choose Another Agent",
  );
  if (others.length === 0) return only;
  const choices = assistants.map((value) => ({
    label: withoutIcons(value.name),
    description: withoutIcons(value.graph === value.name ? "" : (value.graph ?? "")),
    value,
  }));
  return askChoice({ title: "Open Saved Input" }, choices, { placeholder: "Which agent takes it?" });
}
