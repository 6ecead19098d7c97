/** Events as the platform would send them, for trying out a receiver. */

import { randomUUID } from "node:crypto";
import type { Envelope, EventType } from "./event.ts";

/** An event of the type with ids of its own; `severity` is ignored where the type has none. */
export function sampleEvent(type: EventType, severity: number, now: Date = new Date()): Envelope {
  const tenant = { tenant_id: randomUUID(), tenant_name: "Sample workspace" };
  const project = { session_id: randomUUID(), session_name: "sample-project" };
  const projectUrl = `https://platform.example/projects/${project.session_id}`;
  const envelope = {
    id: randomUUID(),
    type,
    created: Math.floor(now.getTime() / 1000),
    request_id: randomUUID(),
  };
  if (type === "issue.agent_run.failed") {
    const object = {
      ...tenant,
      ...project,
      url: projectUrl,
      thread_id: randomUUID(),
      run_id: randomUUID(),
      status: "error",
      error_message: "The detection run ran out of time.",
      occurred_at: now.toISOString(),
    };
    return { ...envelope, data: { object } };
  }
  const id = randomUUID();
  const object = {
    id,
    name: "The agent searches in circles",
    description: "It repeats the same search until it reaches its step limit.",
    severity,
    ...tenant,
    ...project,
    url: `${projectUrl}?issue=${id}`,
  };
  if (type === "issue.created") return { ...envelope, data: { object } };
  const run = randomUUID();
  const trace = {
    run_id: run,
    trace_id: run,
    start_time: now.toISOString(),
    comment: "Seven identical searches in a row.",
  };
  return { ...envelope, data: { object, trace } };
}
