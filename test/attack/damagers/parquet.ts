import { damagedBytes } from "../../support/damage.ts";
import { parquetSamples } from "../../support/parquetSamples.ts";
import { readWhole } from "../../support/readWhole.ts";
import type { Damager } from "./damager.ts";

/** Parquet files: each is read as far as it can be, or refused in words, in bounded time and memory. */
export const parquet: Damager<Uint8Array> = {
  name: "parquet",
  mostMs: 5000,
  mostMb: 600,
  make: async (random) => {
    const sample = random.pick(await parquetSamples());
    if (random.chance(0.5)) return damagedBytes(sample, random);
    return sample.with(random.below(sample.length), random.below(256));
  },
  hold: async (bytes) => {
    await readWhole(bytes);
  },
};
