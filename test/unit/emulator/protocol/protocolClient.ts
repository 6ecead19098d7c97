import type { Answer, LocalPlatform, Shape } from "../../../support/localPlatform.ts";
import { is, text } from "../../../support/localPlatform.ts";

/** A frame of a protocol stream. */
export interface ProtocolFrame {
  readonly id: string;
  readonly name: string;
  readonly event: Shape;
  readonly seq: number;
  readonly method: string;
  readonly namespace: readonly string[];
  readonly data: Shape;
}

/** Every channel that there is. */
export const allChannels = [
  "values",
  "updates",
  "messages",
  "tools",
  "lifecycle",
  "input",
  "checkpoints",
  "tasks",
  "custom",
];

/** A client of the streaming protocol without any library: `root` is `/api/threads` or `/threads`. */
export class ProtocolClient {
  readonly #platform: LocalPlatform;
  readonly #root: string;
  readonly threadId: string;
  #commands = 0;

  constructor(platform: LocalPlatform, root = "/api/threads", threadId: string = crypto.randomUUID()) {
    this.#platform = platform;
    this.#root = root;
    this.threadId = threadId;
  }

  get path(): string {
    return `${this.#root}/${this.threadId}`;
  }

  async command(method: string, params?: unknown): Promise<Shape> {
    const body = { id: ++this.#commands, method, params };
    return (await this.#platform.send("POST", `${this.path}/commands`, body)).body;
  }

  /** Starts a run that streams without delay, and answers its id. */
  async start(assistant: string, content: string, params: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.command("run.start", {
      assistant_id: assistant,
      input: { messages: [{ role: "user", content }] },
      config: { configurable: { token_delay_ms: 0 } },
      ...params,
    });
    return text(answer.result?.run_id);
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.#platform.send(method, `${this.path}${path}`, body);
  }

  /** Follows the thread until the client goes. */
  async *follow(filter: Record<string, unknown> = {}): AsyncGenerator<ProtocolFrame> {
    const path = `${this.path}/${this.#root === "/threads" ? "stream/events" : "stream"}`;
    const leave = new AbortController();
    const body = { channels: allChannels, ...filter };
    const response = await this.#platform.fetch("POST", path, body, {}, leave.signal);
    if (!response.ok || response.body === null)
      throw new Error(`${response.status} ${await response.text()}`);
    let rest = "";
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) if (!frame.startsWith(":")) yield parse(frame);
      }
    } finally {
      leave.abort();
    }
  }

  /** The events up to the end of so many runs. */
  async untilEnd(filter: Record<string, unknown> = {}, runs = 1): Promise<ProtocolFrame[]> {
    const seen: ProtocolFrame[] = [];
    let left = runs;
    for await (const frame of this.follow(filter)) {
      seen.push(frame);
      const ended = ["completed", "failed", "interrupted"].some((status) => is(frame.data.event, status));
      if (frame.method === "lifecycle" && frame.namespace.length === 0 && ended && --left === 0) break;
    }
    return seen;
  }
}

function parse(frame: string): ProtocolFrame {
  const [id = "", name = "", data = ""] = frame.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
  const event = JSON.parse(data) as Shape;
  return {
    id,
    name,
    event,
    seq: Number(event.seq),
    method: text(event.method),
    namespace: event.params?.namespace as unknown as string[],
    data: event.params?.data as Shape,
  };
}
