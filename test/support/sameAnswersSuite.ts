/** What a client is told by a real agent server and by the Local Platform alike. */

import assert from "node:assert/strict";
import type { Shape } from "./localPlatform.ts";
import { WebhookReceiver } from "./webhookReceiver.ts";

/** An agent server, and the name of a graph on it that answers at once. */
export interface Asked {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chat: string;
}

/** Tests that ask the server that `start` gives. */
export function itAnswersAsAgentServersDo(start: () => Promise<Asked>): void {
  let asked: Asked;

  before(async () => {
    asked = await start();
  });

  async function text(path: string, body?: object): Promise<string> {
    const response = await fetch(asked.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...asked.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    assert.equal(response.status, 200, answer);
    return answer;
  }

  const read = async (path: string, body?: object): Promise<Shape> =>
    JSON.parse(await text(path, body)) as Shape;
  const newThread = async (): Promise<string> => String((await read("/threads", {})).thread_id);

  /** The names of a run's events, without those of the same name that follow. */
  async function run(threadId: string, body: object): Promise<readonly string[]> {
    const stream = await text(`/threads/${threadId}/runs/stream`, {
      config: { configurable: { token_delay_ms: 0 } },
      ...body,
    });
    const names = [...stream.matchAll(/^event: (.*)$/gm)].map(([, name = ""]) => name);
    return names.filter((name, at) => name !== names[at - 1]);
  }

  it("tells a webhook in words why a run failed, and of no failure where there was none", async () => {
    const receiver = await WebhookReceiver.start();
    try {
      for (const graph of ["faulty", asked.chat]) {
        await run(await newThread(), { assistant_id: graph, input: say("Hi"), webhook: receiver.url });
      }
      const [failed, went] = await receiver.count(2);
      assert.equal(failed?.event.status, "error");
      assert.match(String(failed.event.error), /^(the disk is full|The model is overloaded: .*)$/);
      assert.equal(went?.event.status, "success");
      assert.equal("error" in went.event, false);
    } finally {
      await receiver.stop();
    }
  });
}

function say(content: string): object {
  return { messages: [{ role: "user", content }] };
}
