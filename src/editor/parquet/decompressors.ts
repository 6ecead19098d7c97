/** Unpacks the pages of Parquet files with what Node brings along, each to the size that it promises and no further. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Decompressors } from "../../table/page.ts";

/** By codec; a page in any other codec (LZO, LZ4 in frames) is shown as unsupported. */
export const DECOMPRESSORS: Decompressors = {
  GZIP: within(gunzipSync),
  BROTLI: within(brotliDecompressSync),
  ZSTD: within(zstdDecompressSync),
};

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

function within(unpack: Unpack): (packed: Uint8Array, size: number) => Uint8Array {
  return (packed, size) => {
    try {
      return unpack(packed, { maxOutputLength: Math.max(1, size) });
    } catch (error) {
      const larger = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      throw larger ? new Error("a page is larger than it says", { cause: error }) : error;
    }
  };
}
