/** An interface of the specification, and the tests of each of its rows as `file: title`. */
export interface InterfaceRows {
  /** Where the Local Platform serves it. */
  readonly base: string;
  /** By method and path as they are specified. */
  readonly endpoints: Readonly<Record<string, readonly string[]>>;
  /** Rules, errors, limits, events, states and fields, in a few words each. */
  readonly rules: Readonly<Record<string, readonly string[]>>;
}
