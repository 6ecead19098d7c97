/** A process that fails at the columns 0, 1 and 2, each in its own way, and reads the others. */

import type { FromReader, ToReader } from "../../src/editor/parquet/readerMessages.ts";

const send = (message: FromReader): void => {
  process.send?.(message);
};

process.on("disconnect", () => process.exit());
process.on("message", (message: ToReader) => {
  switch (message.type) {
    case "open": {
      const columns = ["hangs", "fills the memory", "ends", "reads"].map((name) => ({
        name,
        kind: "text" as const,
        type: "string",
        bytes: 0,
      }));
      const facts = { file: "", rows: 128, columns, rowGroups: 1, bytes: 0, compression: "", createdBy: "" };
      send({ type: "done", result: facts });
      return;
    }
    case "column":
      // Whatever the file is: rows from 64 on are read in every column.
      if (message.rowStart < 64) fail(message.column);
      send({ type: "done", result: { column: message.column, cells: [] } });
      return;
    case "value":
    case "arrange":
    case "copy":
    case "arrangeOn":
    case "arranged":
    case "find":
    case "findOn":
    case "answer":
    case "bytes":
      return;
    default:
      message satisfies never;
  }
});

function fail(column: number): void {
  if (column === 0) for (;;);
  if (column === 1)
    for (const filled: number[][] = []; ;) filled.push(new Array<number>(2 ** 22).fill(column));
  if (column === 2) process.exit(3);
}
