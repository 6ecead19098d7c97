/** What the values of a leaf mean, by its schema, and how they are shown. */

import type { SchemaElement } from "hyparquet";
import { wkbToGeojson } from "hyparquet/src/wkb.js";
import { escaped, spelled, uuidText } from "./bytesText.ts";
import type { CellKind, ColumnKind } from "./messages.ts";
import { decimalText, doubleText, float16, floatText, signedInteger } from "./numberText.ts";
import type { Stored } from "./page.ts";
import {
  dateText,
  int96Nanoseconds,
  intervalLength,
  intervalText,
  timestampText,
  timeText,
  type Unit,
} from "./timeText.ts";

/** The beginning of a value as text. */
export interface Shown {
  readonly kind: CellKind;
  readonly text: string;
  /** How many characters the whole value has. */
  readonly length: () => number;
}

/** How the values of a leaf are shown. */
export interface Format {
  readonly kind: ColumnKind;
  /** The type in the file's own words. */
  readonly type: string;
  /** Of a long value only the first `most` characters, or a few more. */
  readonly show: (value: Stored, most: number) => Shown;
  /** What values are ordered by; missing where it is their text. */
  readonly number?: (value: Stored) => number | bigint;
}

/** What a leaf's values are, by its logical type, else its older converted type, else as they are stored. */
export function formatOf(element: SchemaElement): Format {
  const { logical_type: logical, converted_type: converted } = element;
  switch (logical?.type) {
    case "TIMESTAMP":
      return timestamp(logical.unit, logical.isAdjustedToUTC);
    case "TIME":
      return time(logical.unit, logical.isAdjustedToUTC);
    case "DECIMAL":
      return decimal(logical.precision, logical.scale);
    case "INTEGER":
      return integer(logical.bitWidth, logical.isSigned);
    case "FLOAT16":
      return format(
        "number",
        "float16",
        (value) => floatText(float16(bytesIn(value))),
        (value) => float16(bytesIn(value)),
      );
    case "UUID":
      return format("text", "uuid", (value) => uuidText(bytesIn(value)));
    case "GEOMETRY":
    case "GEOGRAPHY":
      return format("json", logical.type.toLowerCase(), geojson);
    case "BSON":
      return binary("bson");
    default:
      return convertedFormat(converted ?? annotationOf(logical?.type), element);
  }
}

type Annotation = SchemaElement["converted_type"];

/** The logical types that were converted types before. */
function annotationOf(logical: string | undefined): Annotation {
  if (logical === "STRING") return "UTF8";
  return logical === "JSON" || logical === "ENUM" || logical === "DATE" ? logical : undefined;
}

function convertedFormat(converted: Annotation, element: SchemaElement): Format {
  const { precision = 0, scale = 0 } = element;
  const [, sign, bits] = /^(U?)INT_(\d+)$/.exec(converted ?? "") ?? [];
  if (bits !== undefined) return integer(Number(bits), sign === "");
  const formats: Partial<Record<NonNullable<Annotation>, Format>> = {
    UTF8: text("text", "string"),
    ENUM: text("text", "enum"),
    JSON: text("json", "json"),
    BSON: binary("bson"),
    DATE: format("time", "date", (value) => dateText(Number(integerIn(value))), Number),
    TIMESTAMP_MILLIS: timestamp("MILLIS", true),
    TIMESTAMP_MICROS: timestamp("MICROS", true),
    TIME_MILLIS: time("MILLIS", true),
    TIME_MICROS: time("MICROS", true),
    INTERVAL: format(
      "text",
      "interval",
      (value) => intervalText(bytesIn(value)),
      (value) => intervalLength(bytesIn(value)),
    ),
    DECIMAL: decimal(precision, scale),
  };
  return (converted && formats[converted]) ?? storedFormat(element);
}

function storedFormat({ type = "BYTE_ARRAY" }: SchemaElement): Format {
  const whole = (value: Stored): number | bigint => (typeof value === "number" ? value : integerIn(value));
  const formats: Readonly<Record<typeof type, Format>> = {
    BOOLEAN: format("boolean", "boolean", String, Number),
    INT32: format("number", "int32", String, whole),
    INT64: format("number", "int64", String, whole),
    FLOAT: format("number", "float", (value) => floatText(Number(value)), Number),
    DOUBLE: format("number", "double", (value) => doubleText(Number(value)), Number),
    INT96: format(
      "time",
      "timestamp ns",
      (value) => timestampText(int96Nanoseconds(integerIn(value)), "NANOS", false),
      (value) => int96Nanoseconds(integerIn(value)),
    ),
    BYTE_ARRAY: text("text", "bytes"),
    FIXED_LEN_BYTE_ARRAY: binary("bytes"),
  };
  return formats[type];
}

function timestamp(unit: Unit, utc: boolean): Format {
  const type = `timestamp ${short[unit]}${utc ? " UTC" : ""}`;
  return format("time", type, (value) => timestampText(integerIn(value), unit, utc), integerIn);
}

function time(unit: Unit, utc: boolean): Format {
  const type = `time ${short[unit]}${utc ? " UTC" : ""}`;
  return format("time", type, (value) => timeText(integerIn(value), unit, utc), integerIn);
}

const short = { MILLIS: "ms", MICROS: "µs", NANOS: "ns" } as const;

/** A decimal is an integer, of any length, and where its point is. */
function decimal(precision: number, scale: number): Format {
  const places = Math.max(0, Math.min(scale, 1000));
  const unscaled = (value: Stored): bigint =>
    value instanceof Uint8Array ? signedInteger(value) : integerIn(value);
  const type = `decimal(${precision}, ${scale})`;
  return format("number", type, (value) => decimalText(unscaled(value), places), unscaled);
}

function integer(bits: number, signed: boolean): Format {
  const whole = (value: Stored): bigint =>
    signed ? BigInt.asIntN(bits, integerIn(value)) : BigInt.asUintN(bits, integerIn(value));
  return format("number", `${signed ? "int" : "uint"}${bits}`, (value) => String(whole(value)), whole);
}

/** Bytes that are to be a text; older writers say nothing of their texts. Those that spell nothing are shown as bytes. */
function text(kind: "text" | "json", type: string): Format {
  return {
    kind,
    type,
    show: (value, most) => {
      const bytes = bytesIn(value);
      const { text: words, length } = spelled(bytes, most);
      if (words === undefined) return { kind: "binary", ...escaped(bytes, most) };
      return { kind: looksLikeJson(bytes) ? "json" : "text", text: words, length };
    },
  };
}

function binary(type: string): Format {
  return {
    kind: "binary",
    type,
    show: (value, most) => ({ kind: "binary", ...escaped(bytesIn(value), most) }),
  };
}

function format(
  kind: ColumnKind,
  type: string,
  words: (value: Stored) => string,
  number?: Format["number"],
): Format {
  return {
    kind,
    type,
    ...(number !== undefined && { number }),
    show: (value) => {
      const shown = words(value);
      return { kind, text: shown, length: () => shown.length };
    },
  };
}

function geojson(value: Stored): string {
  const bytes = bytesIn(value);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return JSON.stringify(wkbToGeojson({ view, offset: 0 }));
}

/** Only the ends are looked at: reading every text as JSON would cost more than drawing it. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const ends = `${String.fromCharCode(bytes[0] ?? 0)}${String.fromCharCode(bytes.at(-1) ?? 0)}`;
  return ends === "{}" || ends === "[]";
}

function integerIn(value: Stored): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  throw new Error("a number is stored as something else");
}

function bytesIn(value: Stored): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("bytes are stored as something else");
}
