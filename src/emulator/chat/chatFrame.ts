import { isObject } from "../kit/json.ts";

/**
 * A frame of the protocol as chat backends send it: every event under the name `message`, a run that begins as
 * `started`, and the node of an update beside its values.
 */
export function chatFrame(frame: string): string {
  const [id = "", event = "", data = ""] = frame.split("\n", 3);
  const text = data.slice("data: ".length);
  const method = event.slice("event: ".length);
  return `${id}\nevent: message\ndata: ${method === "updates" || method === "lifecycle" ? adapted(text) : text}\n\n`;
}

function adapted(text: string): string {
  const event: unknown = JSON.parse(text);
  if (!isObject(event) || !isObject(event.params)) return text;
  const { params } = event;
  const { data, node } = params;
  if (event.method === "updates") {
    return JSON.stringify({ ...event, params: { ...params, data: { node, values: data } } });
  }
  if (!isObject(data) || data.event !== "running") return text;
  return JSON.stringify({ ...event, params: { ...params, data: { ...data, event: "started" } } });
}
