/** A busy machine may let one attempt in a real window fail: a second one counts, and the first is told. */
export function sayRetries(runner: Mocha.Runner): void {
  runner.on("retry", (test: Mocha.Test, error: unknown) => {
    console.log(
      `    ↻ tried again: ${test.title}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}
