/** What a window and the supervisor of a graph server say to each other, by arguments and by files of one folder. */

/** How a supervisor is started: its only argument, as JSON. */
export interface SupervisorOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What the server's NODE_OPTIONS are; the rest of its environment is the supervisor's own. */
  readonly nodeOptions: string;
  /** Where its files are. */
  readonly folder: string;
  /** How long it outlives the last window that uses it. */
  readonly lingerMs: number;
}

/** All that the server says on stdout and stderr; begun anew when it grows too large. */
export const LOG = "server.log";

/** Written last: who ended, and how. */
export const ENDED = "ended.json";
