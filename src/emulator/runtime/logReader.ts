/** Frames kept together: encoded once, then shared by every reader and the store. */
export interface Piece {
  /** The id of its first event. */
  readonly first: number;
  /** The id of the event after its last one. */
  readonly next: number;
  readonly bytes: Buffer;
}

/** What a reader needs of the stream that it follows. */
export interface ReadableLog {
  readonly next: number;
  readonly ended: boolean;
  readonly written: number;
  piece(from: number): Piece | undefined;
  moved(reader: LogReader, left: boolean): void;
}

/** One follower of a run's stream. */
export class LogReader {
  /** The id of the next event it takes. */
  position: number;
  /** How much of the stream it has taken, in bytes of the whole. */
  taken: number;
  /** It has not moved for a while, so the run no longer waits for it. */
  stuck = false;
  /** Its stream was lost before its end. */
  isCut = false;
  readonly #log: ReadableLog;
  #resolve: (() => void) | undefined;
  #left = false;

  constructor(log: ReadableLog, position: number) {
    this.#log = log;
    this.position = position;
    this.taken = log.written;
  }

  /** The next frames, as soon as there are any; undefined at the end of the stream or after `leave`. */
  async take(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#left) return undefined;
      const piece = this.#log.piece(this.position);
      if (piece !== undefined) {
        this.position = piece.next;
        this.taken = this.position === this.#log.next ? this.#log.written : this.taken + piece.bytes.length;
        this.stuck = false;
        this.#log.moved(this, false);
        return piece.bytes;
      }
      if (this.#log.ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
  }

  wake(): void {
    this.#resolve?.();
    this.#resolve = undefined;
  }

  /** Stops it in the middle of its stream. */
  cut(): void {
    this.isCut = true;
    this.leave();
  }

  /** Stops following. */
  leave(): void {
    this.#left = true;
    this.#log.moved(this, true);
    this.wake();
  }
}
