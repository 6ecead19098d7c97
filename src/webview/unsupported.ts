import { createContext } from "preact";

import type { ThreadCapability } from "../run/panel/messages.ts";

/** What can't be done here: rows deep in the transcript offer no action for it. */
export const UnsupportedContext = createContext<readonly ThreadCapability[]>([]);
