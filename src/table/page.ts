/** One page of a column: its levels, and as many of its values as are wanted, as the file has them. */

import type { Compressors, DecodedArray, Encoding, PageHeader, SchemaElement } from "hyparquet";
import { deltaBinaryUnpack, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { bounded, mostBytes, mostValues } from "./bounds.ts";
import { readHybrid } from "./levels.ts";
import { unpackLz4, unpackSnappy } from "./repeats.ts";
import type { SchemaNode } from "./schemaNode.ts";

/** How pages are unpacked, by codec; Snappy and LZ4 are known without. */
export type Decompressors = Compressors;

/** A value as it is stored; what it means is said by the schema. */
export type Stored = number | bigint | boolean | Uint8Array;

/** Gives a stored value by its number; throws when there are not so many. */
export type Values = (index: number) => Stored;

/** What is needed to read the pages of one leaf. */
export interface LeafReading {
  readonly leaf: SchemaNode;
  readonly codec: string;
  readonly decompressors: Decompressors;
}

/** The levels of a page, and its values by their number among those that are not null. */
export interface Page {
  /** How many values and nulls. */
  readonly entries: number;
  /** Missing outside of lists. */
  readonly repetition: Uint8Array | undefined;
  /** Missing where nothing is null. */
  readonly definition: Uint8Array | undefined;
  /** Reads the first `count` values. */
  readonly values: (count: number) => Values;
}

/** Reads a data page of either version. */
export function readPage(
  packed: Uint8Array,
  header: PageHeader,
  reading: LeafReading,
  dictionary: Values | undefined,
): Page {
  const { leaf } = reading;
  const first = header.data_page_header;
  const second = header.data_page_header_v2;
  const entries = bounded("the number of values in a page", (first ?? second)?.num_values, mostValues);
  const size = bounded("the size of a page", header.uncompressed_page_size, mostBytes);
  const levels = (bytes: Uint8Array, highest: number): Uint8Array => {
    const read = new Uint8Array(entries);
    readHybrid(bytes, 32 - Math.clz32(highest), read);
    return read;
  };
  if (first !== undefined) {
    let rest = unpack(packed, size, reading);
    const take = (highest: number): Uint8Array | undefined => {
      if (highest === 0) return undefined;
      const length = new DataView(rest.buffer, rest.byteOffset, rest.byteLength).getUint32(0, true);
      bounded("the length of levels", length, rest.length - 4);
      const read = levels(rest.subarray(4, 4 + length), highest);
      rest = rest.subarray(4 + length);
      return read;
    };
    const repetition = take(leaf.repetition);
    const definition = take(leaf.definition);
    return {
      entries,
      repetition,
      definition,
      values: valuesOf(rest, first.encoding, leaf.element, entries, definition, leaf, dictionary),
    };
  }
  if (second === undefined) throw new Error("a page has no header");
  const { repetition_levels_byte_length: repetitions, definition_levels_byte_length: definitions } = second;
  const levelBytes =
    bounded("the length of levels", repetitions, packed.length) +
    bounded("the length of levels", definitions, packed.length);
  const unpacked = bounded("the size of a page", size - levelBytes, mostBytes);
  const rest = packed.subarray(levelBytes);
  const repetition =
    leaf.repetition === 0 ? undefined : levels(packed.subarray(0, repetitions), leaf.repetition);
  const definition =
    leaf.definition === 0 ? undefined : levels(packed.subarray(repetitions, levelBytes), leaf.definition);
  const page = second.is_compressed === false || unpacked === 0 ? rest : unpack(rest, unpacked, reading);
  return {
    entries,
    repetition,
    definition,
    values: valuesOf(page, second.encoding, leaf.element, entries, definition, leaf, dictionary),
  };
}

/** Reads the values that a dictionary has. */
export function readDictionary(packed: Uint8Array, header: PageHeader, reading: LeafReading): Values {
  const size = bounded("the size of a page", header.uncompressed_page_size, mostBytes);
  const count = bounded(
    "the number of values in a dictionary",
    header.dictionary_page_header?.num_values,
    mostValues,
  );
  return plainValues(unpack(packed, size, reading), reading.leaf.element, count);
}

function valuesOf(
  bytes: Uint8Array,
  encoding: Encoding,
  element: SchemaElement,
  entries: number,
  definition: Uint8Array | undefined,
  leaf: SchemaNode,
  dictionary: Values | undefined,
): Page["values"] {
  const all = (): number =>
    definition === undefined
      ? entries
      : definition.reduce((sum, level) => sum + (level === leaf.definition ? 1 : 0), 0);
  return (count) => {
    if (count === 0) return () => tooFewValues();
    switch (encoding) {
      case "PLAIN":
        return plainValues(bytes, element, count);
      case "PLAIN_DICTIONARY":
      case "RLE_DICTIONARY": {
        if (dictionary === undefined) throw new Error("a page has no dictionary");
        const indexes = new Int32Array(count);
        readHybrid(bytes.subarray(1), bytes[0] ?? tooFewValues(), indexes);
        return (index) => dictionary(indexes[index] ?? tooFewValues());
      }
      case "RLE": {
        const booleans = new Uint8Array(count);
        readHybrid(bytes.subarray(4), 1, booleans);
        return (index) => booleans[index] === 1;
      }
      case "DELTA_BINARY_PACKED": {
        const numbers = element.type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
        deltaBinaryUnpack(readerOf(bytes), count, numbers);
        return at(numbers);
      }
      case "DELTA_LENGTH_BYTE_ARRAY": {
        const cut: Uint8Array[] = [];
        deltaLengthByteArray(readerOf(bytes), all(), cut);
        return at(cut);
      }
      case "DELTA_BYTE_ARRAY":
        return at(prefixed(bytes, all(), count));
      case "BYTE_STREAM_SPLIT": {
        const { type = "BYTE_ARRAY", type_length: length = 8 } = element;
        bounded("the length of a page", all() * (type === "FIXED_LEN_BYTE_ARRAY" ? length : 4), bytes.length);
        return at(byteStreamSplit(readerOf(bytes), all(), type, element.type_length));
      }
      default:
        throw new Error(`the encoding ${encoding} is not known`);
    }
  };
}

function plainValues(bytes: Uint8Array, element: SchemaElement, count: number): Values {
  const { type = "BYTE_ARRAY", type_length: length } = element;
  if (type === "BYTE_ARRAY") return texts(bytes, count);
  return at(readPlain(readerOf(bytes), type, count, length));
}

/** Only where each begins is kept: an array of so many views would be larger than the page by far. */
function texts(bytes: Uint8Array, count: number): Values {
  const { view } = readerOf(bytes);
  const starts = new Uint32Array(count + 1);
  let start = 4;
  for (let index = 0; index < count; index++) {
    starts[index] = start;
    if (start > bytes.length) tooFewValues();
    start += view.getUint32(start - 4, true) + 4;
  }
  if (start - 4 > bytes.length) tooFewValues();
  starts[count] = start;
  return (index) =>
    bytes.subarray(starts[index] ?? tooFewValues(), (starts[index + 1] ?? tooFewValues()) - 4);
}

/** Texts that share their beginning with the one before; all together are bounded, since few bytes can say much. */
function prefixed(bytes: Uint8Array, all: number, count: number): readonly Uint8Array[] {
  const reader = readerOf(bytes);
  const [prefixes, suffixes] = [new Int32Array(all), new Int32Array(all)];
  deltaBinaryUnpack(reader, all, prefixes);
  deltaBinaryUnpack(reader, all, suffixes);
  const whole: Uint8Array[] = [];
  let before = new Uint8Array();
  let total = 0;
  for (let index = 0; index < count; index++) {
    const prefix = bounded("a shared beginning", prefixes[index], before.length);
    const suffix = bounded("the length of a value", suffixes[index], bytes.length - reader.offset);
    total = bounded("the size of a page", total + prefix + suffix, mostBytes);
    const text = new Uint8Array(prefix + suffix);
    text.set(before.subarray(0, prefix));
    text.set(bytes.subarray(reader.offset, reader.offset + suffix), prefix);
    reader.offset += suffix;
    whole.push(text);
    before = text;
  }
  return whole;
}

function unpack(packed: Uint8Array, size: number, { codec, decompressors }: LeafReading): Uint8Array {
  const page = codec === "UNCOMPRESSED" ? packed : unpacker(codec, decompressors)(packed, size);
  if (page.length !== size) throw new Error(`a page of ${size} bytes has ${page.length}`);
  // Of its own, so that a wrong length in it ends at its end.
  return page.byteLength === page.buffer.byteLength ? page : Uint8Array.prototype.slice.call(page);
}

function unpacker(
  codec: string,
  decompressors: Decompressors,
): (packed: Uint8Array, size: number) => Uint8Array {
  if (codec === "SNAPPY") return unpackSnappy;
  if (codec === "LZ4_RAW") return unpackLz4;
  const known = Object.entries(decompressors).find(([name]) => name === codec)?.[1];
  if (known === undefined) throw new Error(`the compression ${codec} is not supported`);
  return known;
}

function readerOf(bytes: Uint8Array): { readonly view: DataView; offset: number } {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function at(values: DecodedArray | readonly Stored[]): Values {
  return (index) => (values[index] as Stored | undefined) ?? tooFewValues();
}

function tooFewValues(): never {
  throw new Error("a page has too few values");
}
