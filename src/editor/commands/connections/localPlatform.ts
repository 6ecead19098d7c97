/** Starting and stopping the Local Platform. */

import { LOCAL_CONNECTION } from "../../connections/connections.ts";
import type { Services } from "../../services.ts";
import { abortable } from "../../kit/notice.ts";
import type { CommandsOf } from "../../kit/commands.ts";

/** The commands that start and stop it. */
export function commands(services: Services): CommandsOf<"localPlatform"> {
  return {
    "agentOperations.localPlatform.start": () => startLocalPlatform(services),
    "agentOperations.localPlatform.stop": () => services.localPlatform.stop(),
  };
}

/** Starts it with a progress that can be cancelled, and makes sure that it has a connection. */
export async function startLocalPlatform({ connections, localPlatform }: Services): Promise<void> {
  await abortable("Starting the Local Platform", (signal) => localPlatform.start(signal));
  const first = connections.list().length === 0;
  if (!connections.list().some(({ kind }) => kind === "localPlatform")) {
    await connections.add({ name: "Local Platform", kind: "localPlatform" });
  }
  if (first) await connections.setDefault(LOCAL_CONNECTION);
}
