import { join } from "node:path";

/** The program of the process that reads Parquet files, as it is before it is bundled. */
export const readerProgram = join(import.meta.dirname, "../../src/editor/parquet/readerMain.ts");
