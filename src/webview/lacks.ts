import { createContext } from "preact";

import type { Ability } from "../run/panel/ability.ts";

/** What can't be done here: rows deep in the transcript offer no action for it. */
export const LacksContext = createContext<readonly Ability[]>([]);
