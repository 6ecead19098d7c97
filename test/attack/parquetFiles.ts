/** Parquet files that are small and want much, and what is done with them in a process that may be ended. */

import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import {
  binary,
  craftedParquet,
  type Field,
  i32,
  list,
  repeated,
  struct,
  varint,
  withFooter,
  zigzag,
} from "../support/craftedParquet.ts";
import { type ReadWhole, readWhole } from "../support/readWhole.ts";

const zeros = new Uint8Array(2 ** 26);
const numbers = (values: number, body: Uint8Array, encoding: number) =>
  craftedParquet({ type: 1, rows: values, pages: [{ values, encoding, body }] });
const packed = (codec: number, body: Uint8Array, unpacked: number) =>
  craftedParquet({ type: 2, rows: 100, codec, pages: [{ values: 100, encoding: 0, body, unpacked }] });
/** 128 numbers in a block of four, each the one before. */
const oneBlock = Buffer.concat([
  varint(128n),
  varint(4n),
  varint(2n ** 31n - 1n),
  zigzag(0n),
  zigzag(0n),
  Buffer.alloc(4),
]);
const most = 2 ** 31 - 1;

/** By what is wrong with them. */
export const hostileFiles: Readonly<Record<string, () => Uint8Array>> = {
  "4 GB of zeros in 128 kB of Zstandard": () => packed(6, repeated(zstdCompressSync(zeros), 64), 800),
  "4 GB of zeros in 4 MB of gzip": () => packed(2, repeated(gzipSync(zeros), 64), 800),
  "64 MB of zeros in a few bytes of Brotli": () =>
    packed(4, brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 800),
  "Snappy that promises 2 GB": () =>
    packed(1, Buffer.concat([varint(BigInt(most)), Buffer.from([0, 1])]), most),
  "Snappy that promises 192 MB and has one byte": () =>
    packed(1, Buffer.concat([varint(3n * 2n ** 26n), Buffer.from([0, 1])]), 3 * 2 ** 26),
  "Snappy whose literal has a negative length": () =>
    packed(1, Buffer.concat([varint(800n), Buffer.from([0xfc, 0xfb, 0xff, 0xff, 0xff, 0, 0, 0, 0])]), 800),
  "LZ4 whose repeat goes on and on": () =>
    packed(7, Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), Buffer.alloc(1_000_000, 255)]), 800),
  "Zstandard that promises 2 GB": () => packed(6, zstdCompressSync(zeros), most),
  "gzip that holds what it promises, 192 MB": () => packed(2, repeated(gzipSync(zeros), 3), 3 * 2 ** 26),
  "a page of two thousand million numbers": () => numbers(most, oneBlock, 5),
  "a page of as many numbers as are read, in 20 bytes": () => numbers(2 ** 24, oneBlock, 5),
  "a dictionary of two thousand million values": () =>
    craftedParquet({
      type: 6,
      rows: 1,
      pages: [{ dictionary: true, values: most, encoding: 0, body: Buffer.alloc(8) }],
    }),
  "a dictionary of 16 million empty texts": () =>
    craftedParquet({
      type: 6,
      rows: 1,
      codec: 2,
      pages: [
        { dictionary: true, values: 2 ** 24, encoding: 0, body: gzipSync(zeros), unpacked: 2 ** 26 },
        { values: 1, encoding: 8, body: gzipSync(Buffer.from([1, 2, 0])), unpacked: 3 },
      ],
    }),
  "levels in a run of two thousand million": () =>
    craftedParquet({
      type: 1,
      repetition: 1,
      rows: 100,
      pages: [
        {
          values: 100,
          encoding: 0,
          body: Buffer.concat([
            Buffer.from([6, 0, 0, 0]),
            varint(2n ** 32n - 2n),
            Buffer.from([1]),
            Buffer.alloc(400),
          ]),
        },
      ],
    }),
  "one row of 16 million items": () => {
    const run = (count: number, level: number): Uint8Array =>
      Buffer.from([...varint(BigInt(count * 2)), level]);
    const levels = (...runs: readonly Uint8Array[]): Uint8Array => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.concat(runs).length);
      return Buffer.concat([length, ...runs]);
    };
    const values = 2 ** 24;
    const body = Buffer.concat([
      levels(run(1, 0), run(values - 1, 1)),
      levels(run(values, 1)),
      Buffer.from([0]),
    ]);
    const dictionary = { dictionary: true, values: 1, encoding: 0, body: Buffer.alloc(4) } as const;
    return craftedParquet({
      type: 1,
      repetition: 2,
      rows: 1,
      pages: [dictionary, { values, encoding: 8, body }],
    });
  },
  "texts that each repeat the one before": () => {
    const lengths = (first: number, delta: number): Uint8Array =>
      Buffer.concat([
        varint(2n ** 20n),
        varint(1n),
        varint(2n ** 20n),
        zigzag(BigInt(first)),
        zigzag(BigInt(delta)),
        Buffer.from([0]),
      ]);
    const values = 2 ** 20;
    const body = Buffer.concat([lengths(0, 1), lengths(1, 0), Buffer.alloc(values, 65)]);
    return craftedParquet({ type: 6, rows: values, pages: [{ values, encoding: 7, body }] });
  },
  "a decimal of a million bytes": () =>
    craftedParquet({
      type: 7,
      typeLength: 1_000_000,
      converted: 5,
      rows: 1,
      pages: [{ values: 1, encoding: 0, body: Buffer.alloc(1_000_000, 7) }],
    }),
  "a million pages without a value": () => {
    const page = { values: 0, encoding: 0, body: new Uint8Array(), times: 1_000_000 };
    return craftedParquet({ type: 1, rows: 1, pages: [page] });
  },
  "a schema 20,000 levels deep": () => {
    const group = struct([
      [4, binary("g")],
      [5, i32(1)],
    ]);
    return withFooter(new Uint8Array(), many(group, 20_000), 0, []);
  },
  "a schema of a million columns": () => {
    const leaf = struct([
      [1, i32(1)],
      [3, i32(0)],
      [4, binary("c")],
      [5, i32(0)],
    ]);
    return withFooter(new Uint8Array(), many(leaf, 1_000_000), 0, []);
  },
  "a schema whose group has less than no columns": () => {
    const group = (children: number): Field =>
      struct([
        [4, binary("g")],
        [5, i32(children)],
      ]);
    return withFooter(new Uint8Array(), list("struct", [group(3), group(0), group(0), group(-2)]), 0, []);
  },
  "a footer whose list has two thousand million items": () =>
    withFooter(new Uint8Array(), list("struct", [], most), 0, []),
};

function many(field: Field, count: number): Field {
  return list("struct", [{ ...field, bytes: repeated(field.bytes, count) }], count);
}

/** Reads one of them. */
export function readHostile(name: string): Promise<ReadWhole> {
  const bytes = hostileFiles[name]?.();
  if (bytes === undefined) throw new Error(`there is no file with ${name}`);
  return readWhole(bytes);
}
