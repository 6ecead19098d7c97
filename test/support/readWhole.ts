/** Reads every cell of a Parquet file, as the reader's process does; what can't be read is told, not thrown. */

import { DECOMPRESSORS } from "../../src/editor/parquet/decompressors.ts";
import { ParquetError } from "../../src/table/parquetError.ts";
import { openParquet } from "../../src/table/parquetTable.ts";

/** How many rows are read at once, at most. */
const most = 2000;

/** What came of the file. */
export interface ReadWhole {
  readonly refused?: string;
  readonly cells: number;
  readonly problems: readonly string[];
}

/** Reads the first and the last rows of each column; throws what is no ParquetError. */
export async function readWhole(bytes: Uint8Array): Promise<ReadWhole> {
  const source = {
    byteLength: bytes.byteLength,
    slice: (start: number, end?: number) => bytes.slice(start, end).buffer,
  };
  try {
    const table = await openParquet("a.parquet", source, DECOMPRESSORS);
    const { rows, columns } = table.facts;
    const problems: string[] = [];
    let cells = 0;
    for (const index of columns.keys()) {
      for (const rowStart of rows > most ? [0, rows - most] : [0]) {
        const read = await table.column(index, { rowStart, rowEnd: Math.min(rows, rowStart + most) });
        if ("problem" in read) problems.push(read.problem);
        else cells += read.cells.length;
      }
    }
    return { cells, problems };
  } catch (error) {
    if (error instanceof ParquetError && error.remedy !== "")
      return { refused: error.message, cells: 0, problems: [] };
    throw error;
  }
}
