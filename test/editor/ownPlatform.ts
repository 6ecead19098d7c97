import { LocalPlatform } from "../support/localPlatform.ts";
import { theExtension, tidyUp } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** The extension, and a platform that belongs to one test alone. */
export interface OwnPlatform {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
}

/**
 * Has a platform for each test, and for each time that one is tried: nothing is left of what an earlier one did there.
 * It begins without connections and editors, then with what `prepare` does.
 */
export function useOwnPlatform(prepare: (own: OwnPlatform) => Promise<void>): void {
  let platform: LocalPlatform | undefined;
  beforeEach(async () => {
    const extension = await theExtension();
    await tidyUp(extension);
    platform = await LocalPlatform.start();
    await prepare({ extension, platform });
  });
  afterEach(async () => {
    await tidyUp(await theExtension());
    await platform?.remove();
    platform = undefined;
  });
}
