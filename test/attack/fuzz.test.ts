import { deepEqual } from "node:assert/strict";
import { damagers } from "./damagers/index.ts";
import { fuzz } from "./fuzz.ts";

const seed = 20_261_122;
const count = 300;

describe("Inputs that were damaged by chance", () => {
  for (const { name } of damagers) {
    it(`hold: ${name}`, async () => {
      const { failures, tried, slowestMs, mb } = await fuzz({ damager: name, seed, count });
      console.log(`      ${name}: ${tried} inputs, slowest ${slowestMs} ms, ${mb} MB`);
      deepEqual(failures, []);
    });
  }
});
