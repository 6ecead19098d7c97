/** For mocha's command line on a build machine: says which test failed at first, and why. */

import Mocha from "mocha";
import { sayRetries } from "../host/retries.ts";

/** The command line makes its runner itself, and hands it to nobody. */
class TellingRunner extends Mocha.Runner {
  override run(...given: Parameters<Mocha.Runner["run"]>): this {
    sayRetries(this);
    return super.run(...given);
  }
}

Object.defineProperty(Mocha, "Runner", { value: TellingRunner });
