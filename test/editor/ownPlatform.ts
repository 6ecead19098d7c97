import { LocalPlatform } from "../support/localPlatform.ts";
import { theExtension, tidyUp } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** The extension, and a platform that belongs to the suite alone. */
export interface OwnPlatform {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
}

/** Has one platform for a suite's tests. Each begins without connections and editors, then with what `prepare` does. */
export function useOwnPlatform(prepare: (own: OwnPlatform) => Promise<void>): void {
  let own: OwnPlatform;
  before(async () => {
    own = { extension: await theExtension(), platform: await LocalPlatform.start() };
  });
  after(() => own.platform.remove());
  beforeEach(async () => {
    await tidyUp(own.extension);
    await prepare(own);
  });
  afterEach(() => tidyUp(own.extension));
}
