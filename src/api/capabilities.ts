/** What a server was found not to support, so that it is asked for only once. */

import { ApiError } from "./errors.ts";
import { isUnsupportedStatus } from "./retry.ts";

/**
 * The capabilities that one server was found not to support, by names that its clients choose; what isn't known is
 * taken for supported. All clients of a server share them (`Http.capabilities`). They are forgotten with the window,
 * and another address is another server.
 */
export class Capabilities {
  readonly #unsupported = new Map<string, ApiError | undefined>();
  readonly #onChange: () => void;

  /** `onChange` is called whenever one more is found to be missing. */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** The names of those that are missing, in the order in which they were found. */
  get unsupported(): readonly string[] {
    return [...this.#unsupported.keys()];
  }

  isUnsupported(name: string): boolean {
    return this.#unsupported.has(name);
  }

  /** The server turned out not to support it; for answers that say so in another way than by their status. */
  setUnsupported(name: string, cause?: ApiError): void {
    if (this.#unsupported.has(name)) return;
    this.#unsupported.set(name, cause);
    this.#onChange();
  }

  /**
   * Makes the call. Throws an ApiError of the kind "unsupported" when the capability is known to be missing. A 404
   * may also mean that the thing itself is gone: `exists` asks for it, and throws when it is.
   */
  async ask<T>(
    name: string,
    call: () => Promise<T>,
    exists: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T> {
    if (this.#unsupported.has(name)) throw unsupported(name, this.#unsupported.get(name));
    try {
      return await call();
    } catch (error) {
      if (!saysUnsupported(error)) throw error;
      if (error.status === 404) await exists();
      this.setUnsupported(name, error);
      throw unsupported(name, error);
    }
  }

  /** Like `ask`, but resolves with undefined when the capability is missing. */
  async tryAsk<T>(
    name: string,
    call: () => Promise<T>,
    exists?: () => Promise<unknown>,
  ): Promise<T | undefined> {
    try {
      return await this.ask(name, call, exists);
    } catch (error) {
      if (isUnsupported(error)) return undefined;
      throw error;
    }
  }
}

/** Whether an answer may mean that the server has no such endpoint; a 404 may mean something else. */
export function saysUnsupported(error: unknown): error is ApiError {
  return error instanceof ApiError && isUnsupportedStatus(error.status);
}

/** Whether the server is known not to support what was asked of it. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "unsupported";
}

function unsupported(name: string, cause: ApiError | undefined): ApiError {
  const { method = "", url = "", status, requestId } = cause ?? {};
  return new ApiError("unsupported", { method, url, status, requestId, detail: `no ${name}`, cause });
}
