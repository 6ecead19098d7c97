const lastLines = 40;

/** How many tests a suite ran. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** Reads mocha's closing lines out of a suite's output; undefined when the suite never came to its end. */
export function readTally(output: string): Tally | undefined {
  const passed = lastNumber(output, /^\s*(\d+) passing/gm);
  if (passed === undefined) return undefined;
  return { passed, failed: lastNumber(output, /^\s*(\d+) failing/gm) ?? 0 };
}

/**
 * What has to be read of a suite's output first: the attempts that were followed by another one, and mocha's account
 * of what failed, or the last lines of a suite that never came to its end. Empty when all went well at once.
 */
export function readFailures(output: string): string {
  const again = output.match(/^\s*↻ .*$/gm) ?? [];
  const account = /^\s*\d+ failing\n[\s\S]*$/m.exec(output)?.[0];
  const end = readTally(output) === undefined ? output.split("\n").slice(-lastLines).join("\n") : "";
  return [...again, account ?? end].join("\n").trimEnd();
}

/** The line that every suite ends with. */
export function closingLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed`;
}

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const match = [...text.matchAll(pattern)].at(-1);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
