import * as zod from "zod";

// Some libraries that are loaded only when needed use zod too. esbuild then sets zod up piece by piece and forgets
// pieces, unless something loaded first asks for all of it.
if (Object.keys(zod).length === 0) throw new Error("zod is not there.");
