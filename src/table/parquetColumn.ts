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

function leaf(element: SchemaElement): { kind: ColumnKind; type: string; utc: boolean } {
  const plain = (kind: ColumnKind, type: string) => ({ kind, type, utc: false });
  const { logical_type: logical, converted_type: converted, type = "BYTE_ARRAY" } = element;
  switch (logical?.type) {
    case "TIMESTAMP": {
      const unit = { MILLIS: "ms", MICROS: "µs", NANOS: "ns" }[logical.unit];
      const utc = logical.isAdjustedToUTC;
      return { kind: "time", type: `timestamp ${unit}${utc ? " UTC" : ""}`, utc };
    }
    case "INTEGER":
      return plain("number", `${logical.isSigned ? "int" : "uint"}${String(logical.bitWidth)}`);
    case "DECIMAL":
      return plain("number", `decimal(${String(logical.precision)}, ${String(logical.scale)})`);
    case "FLOAT16":
      return plain("number", "float16");
    case "UUID":
      return plain("text", "uuid");
    case "VARIANT":
      return plain("json", "variant");
    default:
  }
  switch (converted ?? logical?.type) {
    case "UTF8":
    case "STRING":
      return plain("text", "string");
    case "JSON":
      return plain("json", "json");
    case "ENUM":
      return plain("text", "enum");
    case "DATE":
      return plain("time", "date");
    case "TIMESTAMP_MILLIS":
      return { kind: "time", type: "timestamp ms UTC", utc: true };
    case "TIMESTAMP_MICROS":
      return { kind: "time", type: "timestamp µs UTC", utc: true };
    case "DECIMAL":
      return plain("number", `decimal(${String(element.precision ?? 0)}, ${String(element.scale ?? 0)})`);
    default:
      return physical(type, converted);
  }
}

function physical(
  type: NonNullable<SchemaElement["type"]>,
  converted: SchemaElement["converted_type"],
): { kind: ColumnKind; type: string; utc: boolean } {
  const number = {
    kind: "number",
    type: (converted ?? type).toLowerCase().replace("_", ""),
    utc: false,
  } as const;
  switch (type) {
    case "BOOLEAN":
      return { kind: "boolean", type: "boolean", utc: false };
    case "INT32":
    case "INT64":
    case "FLOAT":
    case "DOUBLE":
      return number;
    case "INT96":
      return { kind: "time", type: "timestamp ns", utc: false };
    case "BYTE_ARRAY":
      return { kind: "text", type: "bytes", utc: false };
    case "FIXED_LEN_BYTE_ARRAY":
      return { kind: "binary", type: "bytes", utc: false };
    default:
      return type satisfies never;
  }
}
