import type { HttpBindings } from "@hono/node-server";
import type { Caller } from "../access/apiKeys.ts";
import type { Operation } from "./route.ts";

/** What Hono's contexts carry in this server. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    deploymentId: string;
    upstream: string | undefined;
    caller: Caller;
    operation: Operation | undefined;
  };
}
