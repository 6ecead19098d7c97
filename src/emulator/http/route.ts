import type { z } from "zod";

/** What a route is for, and the shapes of what it takes and answers. */
export interface Operation {
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** By status: the answer's shape, or words about an answer whose shape is free. */
  readonly answers: Readonly<Record<number, z.ZodType | string>>;
  /** Whether it needs no key. */
  readonly open?: true;
  /** The media type of its good answers, where that is not JSON. */
  readonly mediaType?: string;
}

/** A route as it is served, with its description if it has one. */
export interface Route {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly operation: Operation | undefined;
}
