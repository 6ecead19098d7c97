/** Unpacks the pages of Parquet files with what Node brings along. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Decompressors } from "../../table/parquetTable.ts";

/** By codec; what is missing here (LZO, LZ4) is told as unsupported when it is met. */
export const DECOMPRESSORS: Decompressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
};
