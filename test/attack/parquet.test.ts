import { ok } from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { join } from "node:path";
import { TableReader } from "../../src/editor/parquet/tableReader.ts";
import { ParquetError } from "../../src/table/parquetError.ts";
import { parquetSamples } from "../support/parquetSamples.ts";
import { readerProgram } from "../support/readerProgram.ts";
import { type ReadWhole, readWhole } from "../support/readWhole.ts";
import { bounded } from "./bounded.ts";
import { hostileFiles } from "./parquetFiles.ts";

const file = join(import.meta.dirname, "parquetFiles.ts");

describe("Parquet files that want much", () => {
  for (const name of Object.keys(hostileFiles)) {
    it(`are read in bounds: ${name}`, async () => {
      const { value, ms, mb } = await bounded<ReadWhole>(
        { file, name: "readHostile", input: name },
        { ms: 15_000, mb: 1000 },
      );
      const said = value.refused ?? value.problems[0] ?? `${String(value.cells)} cells`;
      console.log(`      ${String(ms)} ms, ${String(mb)} MB: ${said}`);
      ok(said.length < 300);
    });
  }
});

describe("A Parquet file that is cut off", () => {
  it("is refused in words, wherever it is cut", async () => {
    const [small = new Uint8Array()] = await parquetSamples();
    for (let length = 0; length < small.length; length += 1) {
      const { refused } = await readWhole(small.subarray(0, length));
      ok(refused !== undefined, `it is read with ${String(length)} bytes`);
    }
  });

  it("is refused when its footer is any garbage", async () => {
    const [small = new Uint8Array()] = await parquetSamples();
    for (const filler of [0, 0x19, 0x55, 0x7f, 0x80, 0xff]) {
      const garbage = small.slice();
      garbage.fill(filler, small.length / 2, small.length - 8);
      const { refused, problems, cells } = await readWhole(garbage);
      ok(refused !== undefined || problems.length > 0 || cells === 0, `filled with ${String(filler)}`);
    }
  });
});

describe("The window that shows a hostile Parquet file", () => {
  it("goes on meanwhile, and says what is wrong", async () => {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    for (const name of [
      "4 GB of zeros in 128 kB of Zstandard",
      "one row of 16 million items",
      "a schema of a million columns",
    ]) {
      const bytes = hostileFiles[name]?.() ?? new Uint8Array();
      const reader = new TableReader({ name: "a.parquet", bytes }, { program: readerProgram });
      delays.reset();
      delays.enable();
      try {
        await reader.facts();
        await reader.read({ rowStart: 0, rowEnd: 1, columns: [0] });
      } catch (error) {
        ok(error instanceof ParquetError && error.remedy !== "", String(error));
      } finally {
        delays.disable();
        reader.close();
      }
      ok(delays.max / 1e6 < 250, `it stood still for ${String(delays.max / 1e6)} ms: ${name}`);
    }
  });
});
