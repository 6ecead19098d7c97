/**
 * The tracing projects of a workspace, whose traces can be exported. The specification has no list of them: this is
 * the one that the platform's own client reads (docs/interface.md, "Tracing projects").
 */

import type { CallOptions, Http } from "../http.ts";
import { isList } from "../shape.ts";

/** A project; members that are not known here are kept. */
export interface Project {
  /** What exports call `session_id`. */
  readonly id: string;
  readonly name: string;
}

/** The projects that were read, and whether there are more. */
export interface ProjectList {
  readonly items: readonly Project[];
  readonly hasMore: boolean;
}

const pageSize = 100;
const mostPages = 5;

/** The projects of one workspace. */
export class Projects {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * The first 500, without the projects that experiments make; undefined where the service has no list, which it is
   * asked only once. Throws ApiError.
   */
  async list({ signal }: CallOptions = {}): Promise<ProjectList | undefined> {
    return this.#http.capabilities.tryAsk("list of projects", async () => {
      const items: Project[] = [];
      for (let page = 0; page < mostPages; page++) {
        const listed = await this.#http.json<readonly Project[]>({
          method: "GET",
          path: "/api/v1/sessions",
          query: { reference_free: true, limit: pageSize, offset: page * pageSize },
          signal,
          accept: isList,
        });
        items.push(...listed.filter(({ id, name }) => typeof id === "string" && typeof name === "string"));
        if (listed.length < pageSize) return { items, hasMore: false };
      }
      return { items, hasMore: true };
    });
  }
}
