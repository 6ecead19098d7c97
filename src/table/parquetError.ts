/**
 * A file that is no Parquet file, or a part of one that can't be read.
 *
 * "file": its bytes say so. "refused": the store that has it wants other keys. The others are about reading it in a process
 * of its own: "slow" took longer than allowed, "memory" needed more than allowed, "ended" is a process that ended otherwise.
 */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
  readonly reason: "file" | "refused" | "slow" | "memory" | "ended";
  /** What to do. */
  readonly remedy: string;

  constructor(
    message: string,
    remedy: string,
    { reason = "file", cause }: { readonly reason?: ParquetError["reason"]; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** What reading a file threw, with what to do: what brings no remedy of its own is about the file as it lies there. */
export function parquetErrorOf(error: unknown): ParquetError {
  if (error instanceof ParquetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ParquetError(message, "Check that the file is still there and can be read.", { cause: error });
}
