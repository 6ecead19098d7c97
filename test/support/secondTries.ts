/** For mocha's command line on a build machine: says which test failed at first and is tried a second time. */

/** Root hooks; a test that neither passed nor failed after an attempt gets another one. */
export const mochaHooks: Mocha.RootHookObject = {
  afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test === undefined || test.state !== undefined || test.isPending()) return;
    console.log(`    ↻ tried again: ${test.fullTitle()}`);
  },
};
