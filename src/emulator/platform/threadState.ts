import * as z from "zod";
import { required } from "../kit/httpError.ts";
import type { Checkpoint } from "../runtime/checkpoint.ts";
import type { Thread } from "../runtime/threads.ts";
import type { Platform } from "./platform.ts";

/** How requests name a checkpoint. */
export const checkpointReference = z.looseObject({
  checkpoint_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
});

/** The thread, or a 404. */
export function requireThread(platform: Platform, deploymentId: string, threadId: string): Thread {
  return required(platform.threads.get(deploymentId, threadId), `Thread with ID ${threadId} not found`);
}

/** The checkpoint of a thread, or a 404. */
export function requireCheckpoint(platform: Platform, threadId: string, id: string, ns = ""): Checkpoint {
  return required(platform.checkpoints.get(threadId, id, ns), `Checkpoint ${id} not found`);
}
