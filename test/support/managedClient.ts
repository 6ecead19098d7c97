import assert from "node:assert/strict";
import { collect, events, list, text } from "./localPlatform.ts";
import type { Answer, LocalPlatform, ServerEvent, Shape } from "./localPlatform.ts";

/** Requests to the managed-agents API of a Local Platform. */
export class ManagedClient {
  readonly platform: LocalPlatform;

  constructor(platform: LocalPlatform) {
    this.platform = platform;
  }

  url(path: string): string {
    return `${this.platform.ready.baseUrl}/v1/managed${path}`;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    return await this.platform.send(method, this.url(path), body, headers);
  }

  /** What a GET answers. */
  async get(path: string): Promise<Shape> {
    const answer = await this.send("GET", path);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  /** Makes an agent that streams without delay. */
  async agent(body: Record<string, unknown> = {}): Promise<Shape> {
    const quick = { configurable: { token_delay_ms: 0 } };
    const answer = await this.send("POST", "/agents", { name: "Helper", ...quick, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  async agentId(body: Record<string, unknown> = {}): Promise<string> {
    return text((await this.agent(body)).id);
  }

  async thread(agentId: string, body: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.send("POST", "/threads", { agent_id: agentId, ...body });
    assert.equal(answer.status, 201, answer.text);
    return text(answer.body.id);
  }

  /** Streams a run to its end. */
  async stream(threadId: string, run: Record<string, unknown>): Promise<ServerEvent[]> {
    const url = this.url(`/threads/${threadId}/runs/stream`);
    return await collect(events(await this.platform.fetch("POST", url, run)));
  }

  /** Every item of a listing, page by page, with something happening between two pages. */
  async pages(
    path: string,
    key: "items" | "threads",
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor = ""; ; await between()) {
      const page = await this.get(path + (cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`));
      pages.push(list(page[key]).map(({ id }) => text(id)));
      if (typeof page.next_cursor !== "string") return pages;
      cursor = page.next_cursor;
    }
  }
}
