/** Running a managed agent: in a run panel, as a test, or in the background. */

import type { AgentRef } from "../../agents/files/agentUri.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import { showInformation } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import { chooseAgent } from "./agentChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { askChoice, askText, askThen } from "../../kit/ask/questions.ts";

/** The commands that run an agent. */
export function agentRunCommands(services: Services, panels: RunPanels) {
  return {
    "agentOperations.agent.newThread": async (node) => {
      panels.openNew(threadsOf(await chooseAgent(services, node, "Start Thread with Agent")));
    },
    "agentOperations.agent.newTestThread": async (node) => {
      const agent = await chooseAgent(services, node, "Start Test Thread with Agent");
      panels.openNew({ ...threadsOf(agent), testRun: true });
    },
    "agentOperations.agent.runInBackground": (node) => runNew(services, panels, node),
  } satisfies Partial<CommandsOf<"agent">>;
}

/** A thread and its first run at once, without a panel. */
async function runNew(services: Services, panels: RunPanels, node: unknown): Promise<void> {
  const agent = await chooseAgent(services, node, "Run Agent in Background");
  const title = `Run ${agent.name} in the Background`;
  const kinds = [
    { label: "A run", description: "counted and listed like any other", value: false },
    { label: "A test run", description: "listed apart, without a notification when it waits", value: true },
  ];
  const [text, isTest] = await askThen(
    () => askText({ title, step: 1, totalSteps: 2 }, question),
    async (said) => {
      const heading = { title, step: 2, totalSteps: 2, canGoBack: true };
      const options = { placeholder: "What kind of run?", active: false };
      return [said, await askChoice(heading, kinds, options)] as const;
    },
  );
  const { connectionId, agentId, name } = agent;
  const thread = await services.managedThreads.runNew(connectionId, { agentId, text }, isTest);
  if (thread !== undefined) announceStarted(panels, thread, name);
}

/** Starts a run on a thread, without a panel. */
export async function runOnThread(
  services: Services,
  panels: RunPanels,
  thread: ThreadRef,
  agentId: string,
): Promise<void> {
  const text = await askText({ title: "Run Thread in Background" }, question);
  await services.managedThreads.run(thread, { agentId, text });
  announceStarted(panels, thread, services.threads.titleOf(thread));
}

/** The agent as the server of its threads. */
function threadsOf({ connectionId, agentId }: AgentRef): ConnectedServer {
  return { connectionId, server: { kind: "managedAgent", agentId } };
}

const question = {
  prompt: "What the agent is told. The run goes on without a panel.",
  problem: (text: string) => (text === "" ? "Enter something to say." : undefined),
};

function announceStarted(panels: RunPanels, thread: ThreadRef, name: string): void {
  const open = "Open Thread";
  // Not awaited: the run has started, whether or not somebody looks at the message.
  void showInformation(`${name} runs in the background.`, open).then((choice) => {
    if (choice === open) panels.open(thread);
  });
}
