/** On a build machine, which may be busy, a test gets two more attempts, and those that failed are told; nowhere else. */
export const retries = process.env["CI"] === undefined ? 0 : 2;

/** Prints what went wrong in an attempt that was followed by another one. */
export function sayRetries(runner: Mocha.Runner): void {
  runner.on("retry", (test: Mocha.Test, error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    console.log(`    ↻ tried again: ${test.fullTitle()}: ${why}`);
  });
}
