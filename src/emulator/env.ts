import type { HttpBindings } from "@hono/node-server";

/** What Hono's contexts carry in this server. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { deploymentId: string };
}
