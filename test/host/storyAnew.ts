/** What mocha keeps of a `describe` and does not tell. */
interface Told {
  readonly _beforeAll: readonly Mocha.Hook[];
  readonly _afterAll: readonly Mocha.Hook[];
  readonly _beforeEach: readonly Mocha.Hook[];
}

const deadlineMs = 20 * 60_000;

/**
 * Begins a `describe` whose tests are steps of one story anew, in a fresh window, and goes on to the step that failed:
 * only then can that be tried once more. To be called in a hook, as `context`.
 */
export async function tellStoryAnew(context: Mocha.Context, failed: Mocha.Test): Promise<void> {
  const suite = failed.parent;
  if (suite === undefined) return;
  const { _beforeAll, _afterAll, _beforeEach } = suite as unknown as Told;
  const earlier = suite.tests.slice(
    0,
    suite.tests.findIndex(({ title }) => title === failed.title),
  );
  for (const part of [..._afterAll, ..._beforeAll, ...earlier.flatMap((test) => [..._beforeEach, test])]) {
    await (part.fn as Mocha.AsyncFunc | undefined)?.call(context);
    context.timeout(deadlineMs);
  }
}
