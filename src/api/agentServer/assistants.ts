/** The assistants of an agent server (docs/interface.md, "Agent server"): what they are, take and are made of. */

import { type CallOptions, path } from "../http.ts";
import { offsetPages } from "../pagination.ts";
import { isList, isObject } from "../shape.ts";
import type { Connect } from "./threads.ts";
import type { Assistant, AssistantGraph, AssistantSchemas } from "./wire.ts";

/** Which assistants; 100 at most by default. */
export interface AssistantSearch {
  readonly graph_id?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** How a graph is read. */
export interface GraphOptions extends CallOptions {
  /** Whether the nodes of subgraphs are told, each as `researcher:model`; else a subgraph is one node. */
  readonly xray?: boolean;
}

const assistantsAtOnce = 100;
const mostSchemaMb = 4;

/** The assistants of one agent server. */
export class Assistants {
  readonly #http: Connect;

  constructor(http: Connect) {
    this.#http = http;
  }

  /** All of them in the server's order, page by page as they are consumed. */
  async *list(
    query: Omit<AssistantSearch, "offset"> = {},
    options: CallOptions = {},
  ): AsyncIterable<Assistant> {
    const { limit = assistantsAtOnce } = query;
    const { baseUrl } = await this.#http();
    yield* offsetPages(`${baseUrl}/assistants`, async (offset) => {
      const items = await this.search({ ...query, limit, offset }, options);
      return { items, hasMore: items.length === limit };
    });
  }

  async search(query: AssistantSearch = {}, { signal }: CallOptions = {}): Promise<readonly Assistant[]> {
    const body = { limit: assistantsAtOnce, ...query };
    return (await this.#http()).json({
      method: "POST",
      path: "/assistants/search",
      body,
      signal,
      idempotent: true,
      reads: true,
      accept: isList,
    });
  }

  /** What it takes and gives. A server that reads that out of a program's source needs up to 20 s the first time. */
  async schemas(assistantId: string, { signal }: CallOptions = {}): Promise<AssistantSchemas> {
    return (await this.#http()).json({
      method: "GET",
      path: path`/assistants/${assistantId}/schemas`,
      signal,
      accept: isObject,
      mostMb: mostSchemaMb,
    });
  }

  /** What its graph is made of. Servers name what has no name of its own by a number. */
  async graph(assistantId: string, { signal, xray }: GraphOptions = {}): Promise<AssistantGraph> {
    const { nodes, edges } = await (
      await this.#http()
    ).json<NumberedGraph>({
      method: "GET",
      path: path`/assistants/${assistantId}/graph`,
      // A server takes the text "false" for true, so it is not sent.
      query: { xray: xray === true ? true : undefined },
      signal,
      accept: (graph) =>
        isObject(graph) && isNamed(graph["nodes"], "id") && isNamed(graph["edges"], "source", "target"),
    });
    return {
      nodes: nodes.map((node) => ({ ...node, id: String(node.id) })),
      edges: edges.map((edge) => ({ ...edge, source: String(edge.source), target: String(edge.target) })),
    };
  }
}

/** A graph as servers tell it. */
interface NumberedGraph {
  readonly nodes: readonly { readonly id: string | number }[];
  readonly edges: readonly { readonly source: string | number; readonly target: string | number }[];
}

/** A list of objects with ids in these fields. */
function isNamed(list: unknown, ...fields: readonly string[]): boolean {
  const isId = (value: unknown) => typeof value === "string" || typeof value === "number";
  return (
    Array.isArray(list) && list.every((item) => isObject(item) && fields.every((field) => isId(item[field])))
  );
}
