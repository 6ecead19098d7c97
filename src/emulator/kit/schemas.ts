import * as z from "zod";

/** A JSON object with any members. */
export const record = z.record(z.string(), z.unknown());

/** A truth value in a query. */
export const flag = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] });

/** A truth value in a query of an agent server, where more spellings are taken. */
export const lenientFlag = z.stringbool({ truthy: ["true", "1", "yes"], falsy: ["false", "0", "no", ""] });

/** The members of a query for one page of a list: at most `most` items, and `usual` when it does not say. */
export function pageQuery(usual: number, most = 1000) {
  return {
    limit: z.coerce.number().int().min(1).max(most).default(usual),
    offset: z.coerce.number().int().min(0).default(0),
  };
}
