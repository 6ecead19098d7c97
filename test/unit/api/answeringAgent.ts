import { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";

/** An answer as the network stack hands it over; the length that its headers tell need not be true. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The chunks of its body, or the body itself; an empty object in JSON unless given. */
  readonly body?: readonly string[] | Dispatcher.ResponseData["body"];
}

/** What was sent as JSON; undefined for nothing. */
export function bodyOf({ body }: Dispatcher.RequestOptions): unknown {
  return typeof body === "string" ? JSON.parse(body) : undefined;
}

/** Reaches nothing: answers each request as the script says, which may throw, and remembers it. */
export class AnsweringAgent extends Agent {
  readonly asked: Dispatcher.RequestOptions[] = [];
  readonly #script: (options: Dispatcher.RequestOptions, index: number) => Scripted;

  constructor(script: (options: Dispatcher.RequestOptions, index: number) => Scripted = () => ({})) {
    super();
    this.#script = script;
  }

  override async request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    this.asked.push(options);
    const {
      status = 200,
      headers = {},
      body = ["{}"],
    } = await Promise.resolve(this.#script(options, this.asked.length - 1));
    const stream = Array.isArray(body)
      ? Readable.from(body.map((chunk) => Buffer.from(String(chunk))))
      : body;
    return { statusCode: status, headers, body: stream } as never;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
