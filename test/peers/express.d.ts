declare module "express" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** The parts of the web framework that the MCP SDK is built on and tests use; it has no types of its own. */
  export type Request = IncomingMessage & { readonly body?: unknown };
  export type Response = ServerResponse & { redirect(url: string): void };
  export type RequestHandler = (
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
  ) => unknown;
  export interface Express {
    (request: IncomingMessage, response: ServerResponse): void;
    use(...handlers: RequestHandler[]): void;
    all(path: string, ...handlers: RequestHandler[]): void;
  }
}
