import { join } from "node:path";

/** The program of the process that reads Parquet files, as it is before it is bundled. */
export const readerProgram = join(import.meta.dirname, "../../src/editor/parquet/readerMain.ts");

/** The same as it ships, which starts in half of the time; it is there after a build. */
export const shippedReader = join(import.meta.dirname, "../../dist/parquetReader.js");
