// Loads one source file in the form of a mutant, and all others as they are.
import process from "node:process";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { MUTATED_FILE, MUTANT_SOURCE } = process.env;
const mutated = pathToFileURL(MUTATED_FILE).href;

registerHooks({
  load: (url, context, next) =>
    url === mutated
      ? { format: "module-typescript", source: readFileSync(MUTANT_SOURCE, "utf8"), shortCircuit: true }
      : next(url, context),
});
