/**
 * A file that is no Parquet file, or a part of one that can't be read.
 *
 * "file": its bytes say so. The others are about reading it in a process of its own: "slow" took longer than allowed,
 * "memory" needed more than allowed, "ended" is a process that ended otherwise.
 */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
  readonly reason: "file" | "slow" | "memory" | "ended";
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
