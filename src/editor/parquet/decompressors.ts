/** Unpacks the pages of Parquet files with what Node brings along. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Decompressors } from "../../table/parquetTable.ts";

/** By codec; a page in any other codec (LZO, LZ4) is shown as unsupported. */
export const DECOMPRESSORS: Decompressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
};
