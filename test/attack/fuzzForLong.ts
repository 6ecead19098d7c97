/**
 * `npm run fuzz`: damages inputs for as long as one likes. `--seconds N` for all kinds together (60 unless given),
 * `--seed S` for the inputs of an earlier run, `--only NAME` for one kind, and `--from N --count 1` for one input.
 */

import { parseArgs } from "node:util";
import { damagers } from "./damagers/index.ts";
import { fuzz } from "./fuzz.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { seconds: text, seed: text, only: text, from: text, count: text } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const names = values.only === undefined ? damagers.map(({ name }) => name) : [values.only];
const seconds = Number(values.seconds ?? 60) / names.length;
console.log(`seed ${seed}, ${Math.round(seconds)} s for each of ${names.join(", ")}`);
let failed = 0;
for (const damager of names) {
  const count = Number(values.count ?? 1e9);
  const report = await fuzz({ damager, seed, from: Number(values.from ?? 0), count, seconds });
  const { tried, failures, slowestMs, mb } = report;
  console.log(`${damager}: ${tried} inputs, ${failures.length} failures, slowest ${slowestMs} ms, ${mb} MB`);
  for (const { number, error } of failures) {
    console.log(
      `  npm run fuzz -- --seed ${seed} --only ${damager} --from ${number} --count 1\n    ${error.split("\n").slice(0, 3).join("\n    ")}`,
    );
  }
  failed += failures.length;
}
process.exit(failed === 0 ? 0 : 1);
