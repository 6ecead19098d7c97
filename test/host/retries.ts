/** On a build machine a test gets a second attempt, and the first one is told; nowhere else. */
export const retries = process.env["CI"] === undefined ? 0 : 1;

/** Prints what went wrong in an attempt that was followed by another one. */
export function sayRetries(runner: Mocha.Runner): void {
  runner.on("retry", (test: Mocha.Test, error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    console.log(`    ↻ tried again: ${test.title}: ${why}`);
  });
}
