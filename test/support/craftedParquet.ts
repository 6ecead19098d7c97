/** Parquet files of one column whose every number may be a lie: bytes as no writer makes them. */

/** What the file says of itself; what is missing is told truly. */
export interface Crafted {
  /** Parquet's number of the type: 1 INT32, 2 INT64, 6 BYTE_ARRAY, 7 FIXED_LEN_BYTE_ARRAY. */
  readonly type: number;
  readonly typeLength?: number;
  /** 5 is a decimal. */
  readonly converted?: number;
  /** 0 REQUIRED, 1 OPTIONAL, 2 REPEATED. */
  readonly repetition?: number;
  readonly rows: number;
  /** 0 none, 1 Snappy, 2 gzip, 4 Brotli, 6 Zstandard. */
  readonly codec?: number;
  readonly pages: readonly CraftedPage[];
}

/** A page; `dictionary` makes it one. */
export interface CraftedPage {
  readonly dictionary?: true;
  readonly values: number;
  /** 0 plain, 3 RLE, 5 delta, 6 lengths and bytes, 7 shared beginnings, 8 dictionary. */
  readonly encoding: number;
  readonly body: Uint8Array;
  readonly unpacked?: number;
  /** So many of them follow each other; one unless given. */
  readonly times?: number;
}

/** The bytes of a file. */
export function craftedParquet(file: Crafted): Uint8Array {
  const { type, typeLength, converted, repetition = 0, rows, codec = 0, pages } = file;
  const data = Buffer.concat(
    pages.map((page) => repeated(Buffer.concat([pageHeader(page), page.body]), page.times ?? 1)),
  );
  const column = struct([
    [1, i32(type)],
    [2, list("i32", [i32(0)])],
    [3, list("binary", [binary("c")])],
    [4, i32(codec)],
    [5, i64(rows)],
    [6, i64(data.length)],
    [7, i64(data.length)],
    [9, i64(4)],
  ]);
  const root = struct([
    [4, binary("root")],
    [5, i32(1)],
  ]);
  const leaf = struct([
    [1, i32(type)],
    ...(typeLength === undefined ? [] : [[2, i32(typeLength)] as const]),
    [3, i32(repetition)],
    [4, binary("c")],
    ...(converted === undefined ? [] : [[6, i32(converted)] as const]),
  ]);
  const chunk = struct([
    [2, i64(4)],
    [3, column],
  ]);
  const group = struct([
    [1, list("struct", [chunk])],
    [2, i64(data.length)],
    [3, i64(rows)],
  ]);
  return withFooter(data, list("struct", [root, leaf]), rows, [group]);
}

/** A file with these bytes of columns and this schema, a list of structs. */
export function withFooter(
  data: Uint8Array,
  schema: Field,
  rows: number,
  groups: readonly Field[],
): Uint8Array {
  const footer = struct([
    [1, i32(1)],
    [2, schema],
    [3, i64(rows)],
    [4, list("struct", groups)],
  ]).bytes;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return new Uint8Array(Buffer.concat([Buffer.from("PAR1"), data, footer, length, Buffer.from("PAR1")]));
}

function pageHeader({ dictionary, values, encoding, body, unpacked = body.length }: CraftedPage): Uint8Array {
  const its = struct([
    [1, i32(values)],
    [2, i32(encoding)],
    ...(dictionary === undefined
      ? ([
          [3, i32(3)],
          [4, i32(3)],
        ] as const)
      : []),
  ]);
  return struct([
    [1, i32(dictionary === undefined ? 0 : 2)],
    [2, i32(unpacked)],
    [3, i32(body.length)],
    [dictionary === undefined ? 5 : 7, its],
  ]).bytes;
}

/** A field of Thrift's compact protocol: the number of its type and its bytes. */
export interface Field {
  readonly type: number;
  readonly bytes: Uint8Array;
}

const types = { i32: 5, i64: 6, binary: 8, struct: 12 } as const;

export function struct(fields: readonly (readonly [id: number, field: Field])[]): Field {
  let last = 0;
  const parts = fields.flatMap(([id, { type, bytes }]) => {
    const start = Buffer.from([((id - last) << 4) | type]);
    last = id;
    return [start, bytes];
  });
  return { type: types.struct, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}

/** A list that may say that it has more items than it has. */
export function list(type: keyof typeof types, items: readonly Field[], count = items.length): Field {
  const start = Buffer.concat([Buffer.from([0xf0 | types[type]]), varint(BigInt(count))]);
  return { type: 9, bytes: Buffer.concat([start, ...items.map(({ bytes }) => bytes)]) };
}

export function i32(value: number): Field {
  return { type: types.i32, bytes: zigzag(BigInt(value)) };
}

export function i64(value: number): Field {
  return { type: types.i64, bytes: zigzag(BigInt(value)) };
}

export function binary(text: string): Field {
  const bytes = Buffer.from(text);
  return { type: types.binary, bytes: Buffer.concat([varint(BigInt(bytes.length)), bytes]) };
}

/** An unsigned number in groups of seven bits, as Parquet's runs and lengths have it. */
export function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 128n) return Uint8Array.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
}

/** The same bytes so many times. */
export function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return Buffer.alloc(bytes.length * times, bytes);
}

/** A signed number, the sign last. */
export function zigzag(value: bigint): Uint8Array {
  return varint(value < 0n ? -2n * value - 1n : 2n * value);
}
