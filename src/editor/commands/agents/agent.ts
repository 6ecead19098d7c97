/** What can be done with a managed agent. */

import { counted } from "../../kit/words.ts";
import { VIEWS } from "../../kit/ids.ts";
import { showInformation, showWarning, working } from "../../kit/notice.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { failingServers, healthLines, isHealthy } from "../../agents/agentHealth.ts";
import type { NamedAgentRef } from "../../agents/listedAgent.ts";
import type { Views } from "../../views/index.ts";
import type { AgentsView } from "../../views/agents/agents.ts";
import { agentFileCommands } from "./agentFiles.ts";
import { agentPromotionCommands } from "./agentPromotion.ts";
import { agentRunCommands } from "./agentRun.ts";
import { chooseAgent } from "./agentChoice.ts";
import { changes, creation, draftOf, emptyDraft } from "../../agents/agentDraft.ts";
import { changedAgentForm, fillInAgent, type FormFacts, newAgentForm } from "./agentForm.ts";
import { reviewForm } from "../../kit/ask/form.ts";
import { sendForm } from "../../kit/ask/sentForm.ts";
import { askText } from "../../kit/ask/questions.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { confirmAct, type GuardedAct } from "../../connections/guard.ts";

/** What the commands of agents open and change besides the services. */
interface AgentSurfaces {
  readonly views: Pick<Views, "agents">;
  readonly panels: RunPanels;
}

/** The sample agents of the Local Platform, as models. */
const sampleModels = ["echo", "researcher", "approval", "slow", "flood", "faulty", "pipeline", "naps"].map(
  (name) => `sample:${name}`,
);

/** The commands of one agent. */
export function commands(services: Services, { views, panels }: AgentSurfaces): CommandsOf<"agent"> {
  const on = (title: string, work: (agent: NamedAgentRef) => Promise<void>) => async (node: unknown) =>
    work(await chooseAgent(services, node, title));
  return {
    ...agentRunCommands(services, panels),
    ...agentFileCommands(services),
    ...agentPromotionCommands(services),
    "agentOperations.agent.create": (node) => create(services, views.agents, node),
    "agentOperations.agent.edit": on("Edit Agent", (agent) => edit(services, agent)),
    "agentOperations.agent.clone": on("Clone Agent", (agent) => clone(services, views.agents, agent)),
    "agentOperations.agent.delete": on("Delete Agent", (agent) => remove(services, agent)),
    "agentOperations.agent.checkHealth": on("Check Agent Health", (agent) => check(services, agent)),
    "agentOperations.agent.copyId": on("Copy Agent ID", async ({ agentId }) => {
      await copyLines([agentId], "agent ID");
    }),
  };
}

async function create(services: Services, view: AgentsView, node: unknown): Promise<void> {
  const { id: connectionId } = await choosePlatform(services, node, "New Managed Agent");
  const form = newAgentForm(facts(services, connectionId));
  const made = await sendForm(await fillInAgent(form, emptyDraft), {
    form,
    connectionId,
    notDone: "The agent was not created.",
    notKnown: "Whether the agent was created is not known: look in Agents before you create it again.",
    log: services.log,
    send: (draft) =>
      busy(`Creating “${draft.name}”`, () => services.agents.create(connectionId, creation(draft))),
  });
  await view.reveal({ connectionId, agentId: made.id });
}

async function edit(services: Services, ref: NamedAgentRef): Promise<void> {
  const api = await services.platforms.managedAgents(ref.connectionId);
  const agent = await api.agents.get(ref.agentId);
  const form = changedAgentForm(`Edit ${agent.name}`, facts(services, ref.connectionId));
  await sendForm(await reviewForm(form, draftOf(agent)), {
    form,
    connectionId: ref.connectionId,
    notDone: `“${ref.name}” was not changed.`,
    notKnown: `Whether “${ref.name}” was changed is not known.`,
    log: services.log,
    send: async (draft) => {
      const update = changes(agent, draft);
      if (update === undefined) return;
      const question = `Change the agent “${ref.name}”?`;
      const detail = "Whoever uses it gets the change at once.";
      await confirmOn(services, ref, { question, detail, verb: "Change", always: false });
      await busy(`Saving “${agent.name}”`, () => services.agents.update(ref, update));
    },
  });
}

async function confirmOn(
  { connections }: Services,
  { connectionId, name }: NamedAgentRef,
  act: Omit<GuardedAct, "name">,
): Promise<void> {
  await confirmAct(connections.resolve(connectionId), { ...act, name });
}

async function clone({ agents }: Services, view: AgentsView, ref: NamedAgentRef): Promise<void> {
  const name = await askText(
    { title: `Clone ${ref.name}` },
    {
      value: `${ref.name} (copy)`,
      prompt: "The copy gets the model, backend, tools, subagents and files. Who may use it starts fresh.",
      problem: (typed) => (typed === "" ? "Enter a name." : undefined),
    },
  );
  const copy = await busy(`Cloning “${ref.name}”`, () => agents.clone(ref, name));
  await view.reveal({ connectionId: ref.connectionId, agentId: copy.id });
}

async function remove(services: Services, ref: NamedAgentRef): Promise<void> {
  const where = services.connections.get(ref.connectionId)?.name ?? ref.connectionId;
  const detail = `It is deleted on ${where} with all its files. Its threads stay, but can't run any more. This can't be undone.`;
  const question = `Delete the agent “${ref.name}”?`;
  await confirmOn(services, ref, { question, detail, verb: "Delete", always: true });
  await busy(`Deleting “${ref.name}”`, () => services.agents.delete(ref));
}

async function check({ agents }: Services, ref: NamedAgentRef): Promise<void> {
  const report = await busy(`Checking “${ref.name}”`, () => agents.checkHealth(ref));
  const text = `${ref.name}: ${healthLines({ kind: "checked", report }).join("; ")}`;
  if (isHealthy(report)) void showInformation(text);
  else {
    const failing = failingServers(report).length;
    const what = failing === 0 ? "" : `${counted(failing, "tool server fails", "tool servers fail")}. `;
    void showWarning(`${what}${text}`);
  }
}

/** The models that the platform's own agents use are the ones that work there. */
function facts({ agents, connections }: Services, connectionId: string): FormFacts {
  const local = connections.get(connectionId)?.kind === "localPlatform";
  return { models: [...(local ? sampleModels : []), ...agents.models(connectionId)] };
}

async function busy<T>(title: string, work: () => Promise<T>): Promise<T> {
  return working(title, work, { viewId: VIEWS.agents });
}
