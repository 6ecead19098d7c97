/** An interface of the specification: what its endpoints are, and which tests hold its rules. */
export interface InterfaceRows {
  /** Where the Local Platform serves it. */
  readonly base: string;
  /** Methods and paths as they are specified; that a test sends each is noted while the tests run. */
  readonly endpoints: readonly string[];
  /** Rules, errors, limits, events, states and fields, in a few words each, with their tests as `file: title`. */
  readonly rules: Readonly<Record<string, readonly string[]>>;
}
