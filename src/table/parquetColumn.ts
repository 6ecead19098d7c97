/** What a column of a Parquet file holds, by its schema. */

import type { SchemaElement, SchemaTree } from "hyparquet";
import type { TimeColumn } from "./cell.ts";
import type { ColumnKind } from "./messages.ts";

/** A top-level column; nested ones are shown as JSON. */
export function columnOf({ element, children }: SchemaTree): TimeColumn {
  const { name } = element;
  const annotated = element.logical_type?.type ?? element.converted_type;
  if (children.length > 0 || element.repetition_type === "REPEATED") {
    const type = annotated === "MAP" ? "map" : annotated === "LIST" ? "list" : "struct";
    return { name, kind: "json", type: element.repetition_type === "REPEATED" ? "list" : type, utc: false };
  }
  return { name, ...leaf(element) };
}

type Leaf = readonly [kind: ColumnKind, type: string];

const annotations: ReadonlyMap<string | undefined, Leaf> = new Map([
  ["FLOAT16", ["number", "float16"]],
  ["UUID", ["text", "uuid"]],
  ["VARIANT", ["json", "variant"]],
  ["UTF8", ["text", "string"]],
  ["STRING", ["text", "string"]],
  ["JSON", ["json", "json"]],
  ["ENUM", ["text", "enum"]],
  ["DATE", ["time", "date"]],
]);

function leaf(element: SchemaElement): Omit<TimeColumn, "name"> {
  const { logical_type: logical, converted_type: converted } = element;
  if (logical?.type === "TIMESTAMP") return time(logical.unit, logical.isAdjustedToUTC);
  if (converted === "TIMESTAMP_MILLIS") return time("MILLIS", true);
  if (converted === "TIMESTAMP_MICROS") return time("MICROS", true);
  const [kind, type] = annotations.get(converted) ?? annotations.get(logical?.type) ?? numberOrBytes(element);
  return { kind, type, utc: false };
}

function time(unit: "MILLIS" | "MICROS" | "NANOS", utc: boolean): Omit<TimeColumn, "name"> {
  const short = { MILLIS: "ms", MICROS: "µs", NANOS: "ns" }[unit];
  return { kind: "time", type: `timestamp ${short}${utc ? " UTC" : ""}`, utc };
}

function numberOrBytes(element: SchemaElement): Leaf {
  const { logical_type: logical, converted_type: converted, type = "BYTE_ARRAY" } = element;
  if (logical?.type === "INTEGER") {
    return ["number", `${logical.isSigned ? "int" : "uint"}${String(logical.bitWidth)}`];
  }
  if (logical?.type === "DECIMAL" || converted === "DECIMAL") {
    const { precision = 0, scale = 0 } = logical?.type === "DECIMAL" ? logical : element;
    return ["number", `decimal(${String(precision)}, ${String(scale)})`];
  }
  switch (type) {
    case "BOOLEAN":
      return ["boolean", "boolean"];
    case "INT32":
    case "INT64":
    case "FLOAT":
    case "DOUBLE":
      return ["number", (converted ?? type).toLowerCase().replace("_", "")];
    case "INT96":
      return ["time", "timestamp ns"];
    case "BYTE_ARRAY":
      return ["text", "bytes"];
    case "FIXED_LEN_BYTE_ARRAY":
      return ["binary", "bytes"];
    default:
      return type satisfies never;
  }
}
