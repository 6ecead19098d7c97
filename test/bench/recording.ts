/** Events of one run as a server writes them: small custom ones, or the tokens of one long message. */

export type RecordingKind = "custom" | "tokens";

/** The stream's text; its first event names the run. */
export function recordedStream(kind: RecordingKind, events: number): string {
  const parts = [eventText("metadata", { run_id: "run", attempt: 1 }, 0)];
  for (let n = 1; n < events; n += 1) {
    if (kind === "tokens") parts.push(eventText("messages|model:1", token(` word${n % 100}`), n));
    else parts.push(eventText("custom", { i: n, t: "tick" }, n));
  }
  return parts.join("");
}

export function eventText(name: string, data: unknown, id: number): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

/** A piece of a message with as much metadata as real servers send along. */
export function token(content: string): unknown {
  const chunk = {
    id: "msg_4593dcef-c62f-4cc8-a3d9-9a66915a2820",
    content,
    tool_calls: [],
    invalid_tool_calls: [],
    tool_call_chunks: [],
    additional_kwargs: {},
    response_metadata: {},
    type: "ai",
  };
  const metadata = {
    tags: [],
    ls_integration: "langchain_chat_model",
    created_by: "system",
    graph_id: "chat",
    assistant_id: "eb6db400-e3c8-5d06-a834-015cb89efe69",
    run_attempt: 1,
    langgraph_version: "1.4.18",
    langgraph_plan: "developer",
    langgraph_host: "self-hosted",
    thread_id: "01a1fc88-1e99-74db-baf6-e83986dc8ab6",
    run_id: "01a1fc88-1ea4-719c-ac5d-0a5b3c8c712a",
    langgraph_step: 1,
    langgraph_node: "model",
    langgraph_triggers: ["branch:to:model"],
    langgraph_path: ["__pregel_pull", "model"],
    langgraph_checkpoint_ns: "model:1",
    checkpoint_ns: "model:1",
    ls_provider: "scripted",
    ls_model_type: "chat",
  };
  return [chunk, metadata];
}
