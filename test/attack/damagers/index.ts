import { answers } from "./answers.ts";
import type { AnyDamager } from "./damager.ts";
import { journals } from "./journals.ts";
import { pageMessages } from "./pageMessages.ts";
import { parquet } from "./parquet.ts";
import { sse } from "./sse.ts";

/** All damagers: one more kind of input from outside is one more file here. */
export const damagers: readonly AnyDamager[] = [sse, answers, pageMessages, journals, parquet];
