import type { Store } from "../store/store.ts";
import { LogReader, type Piece } from "./logReader.ts";

const pieceBytes = 32 * 1024;
/** What a stream holds in memory of what is written but not yet read or stored; 500 streams may do so at once. */
const heldBytes = 64 * 1024;
const farBehindBytes = 256 * 1024;
const stuckAfterMs = 500;

/**
 * The event stream of one run as SSE frames with ids 0, 1, 2… Any number of readers follow it, each at its own
 * pace. The newest part is in memory; of a resumable run everything is stored, of others only what the slowest
 * reader may still need and memory should not hold.
 */
export class RunLog {
  readonly runId: string;
  readonly resumable: boolean;
  readonly #store: Store;
  readonly #wanted: (log: RunLog) => void;
  /** The newest frames, not encoded yet. */
  #tail = "";
  #tailFirst: number;
  /** What comes before the tail, oldest first and without gaps. */
  #pieces: Piece[] = [];
  #next: number;
  #sealedBytes = 0;
  #heldBytes = 0;
  /** The events before this id are stored, or nobody needs them any more. */
  #storedTo: number;
  #ended: boolean;
  #lost = false;
  readonly #readers = new Set<LogReader>();
  #waking = false;
  #spilled = false;
  #progress: (() => void) | undefined;

  /** `wanted` is called when there is something to store. */
  constructor(
    store: Store,
    runId: string,
    resumable: boolean,
    wanted: (log: RunLog) => void,
    past?: { readonly next: number; readonly open?: boolean },
  ) {
    this.#store = store;
    this.runId = runId;
    this.resumable = resumable;
    this.#wanted = wanted;
    this.#next = past?.next ?? 0;
    this.#tailFirst = this.#next;
    this.#storedTo = this.#next;
    this.#ended = past !== undefined && past.open !== true;
  }

  /** The id of the next event. */
  get next(): number {
    return this.#next;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How much has been written so far, in bytes. */
  get written(): number {
    return this.#sealedBytes + this.#tail.length;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Adds an event whose data is one line of JSON. */
  append(event: string, data: string): void {
    if (this.#ended || this.#lost) return;
    this.#tail += `id: ${this.#next++}\nevent: ${event}\ndata: ${data}\n\n`;
    if (this.#tail.length >= pieceBytes) this.#seal();
    if (this.resumable) this.#wanted(this);
    this.#wake();
  }

  /** Ends the stream: readers get what is left and then nothing more. */
  end(): void {
    this.#ended = true;
    if (this.resumable) this.flush();
    this.#forget();
    this.#wake();
  }

  /** Loses its readers and all that is in it; it stays open, and nothing comes any more. */
  lose(): void {
    this.#lost = true;
    this.#tail = "";
    this.#tailFirst = this.#next;
    this.#storedTo = this.#next;
    this.#drop(this.#pieces.length);
    for (const reader of this.#readers) reader.cut();
  }

  /** Stores everything that is not stored yet. */
  flush(): void {
    this.#seal();
    this.#storeFrom(this.#storedTo);
    this.#release();
  }

  /** Stores everything and holds nothing in memory, if nobody reads. */
  rest(): void {
    if (this.#readers.size > 0) return;
    this.flush();
    this.#drop(this.#pieces.length);
  }

  /** Follows the stream after the event with this id; -1 is from the start. */
  read(after: number): LogReader {
    const reader = new LogReader(this, Math.max(0, Math.min(after + 1, this.#next)));
    this.#readers.add(reader);
    return reader;
  }

  /** Waits while the fastest reader that still moves is far behind; a stuck reader delays no run. */
  async room(signal: AbortSignal): Promise<void> {
    for (;;) {
      const moving = [...this.#readers].filter(({ stuck }) => !stuck);
      if (moving.length === 0 || moving.some(({ taken }) => this.written - taken < farBehindBytes)) return;
      const moved = await this.#waitForProgress(signal);
      if (!moved) for (const reader of moving) reader.stuck = true;
    }
  }

  /** The frames from an id on, as many as are kept together; undefined when there are none yet. */
  piece(from: number): Piece | undefined {
    if (from >= this.#next) return undefined;
    const oldest = this.#pieces[0]?.first ?? this.#tailFirst;
    if (from < oldest) return this.#storedPiece(from) ?? this.piece(oldest);
    if (from >= this.#tailFirst) this.#seal();
    const piece = this.#pieces.findLast(({ first }) => first <= from);
    return piece === undefined ? undefined : cut(piece, from);
  }

  /** Called by readers when they took something or left. */
  moved(reader: LogReader, left: boolean): void {
    if (left) this.#readers.delete(reader);
    this.#release();
    if (left) this.#forget();
    this.#progress?.();
  }

  #wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      for (const reader of this.#readers) reader.wake();
    });
  }

  /** Removes what was stored only for slow readers, once nobody reads any more; else the next start does it. */
  #forget(): void {
    if (!this.#store.isOpen || this.resumable || !this.#ended || !this.#spilled || this.#readers.size > 0)
      return;
    this.#spilled = false;
    this.#store.run("DELETE FROM run_events WHERE run_id = ?", this.runId);
  }

  async #waitForProgress(signal: AbortSignal): Promise<boolean> {
    return await new Promise<boolean>((resolve) => {
      const done = (moved: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#progress = undefined;
        resolve(moved);
      };
      const stop = () => done(true);
      const timer = setTimeout(() => done(false), stuckAfterMs);
      signal.addEventListener("abort", stop, { once: true });
      this.#progress = () => done(true);
    });
  }

  /** Encodes the tail; stores and lets go of the oldest part when a slow reader needs too much. */
  #seal(): void {
    if (this.#tail === "") return;
    const bytes = Buffer.from(this.#tail);
    this.#pieces.push({ first: this.#tailFirst, next: this.#next, bytes });
    this.#tail = "";
    this.#tailFirst = this.#next;
    this.#sealedBytes += bytes.length;
    this.#heldBytes += bytes.length;
    this.#release();
    if (this.#heldBytes <= heldBytes) return;
    this.#storeFrom(this.resumable ? this.#storedTo : Math.max(this.#storedTo, this.#needed()));
    let excess = this.#heldBytes - heldBytes;
    const kept = this.#pieces.findIndex((piece) => (excess -= piece.bytes.length) <= 0) + 1;
    this.#drop(Math.min(kept, this.#pieces.length - 1));
  }

  /** Lets go of what every reader has taken, as far as it need not be stored any more. */
  #release(): void {
    const needed = this.#needed();
    const over = this.resumable ? Math.min(needed, this.#storedTo) : needed;
    const kept = this.#pieces.findIndex(({ next }) => next > over);
    this.#drop(kept === -1 ? this.#pieces.length : kept);
  }

  #drop(count: number): void {
    for (const { bytes } of this.#pieces.splice(0, count)) this.#heldBytes -= bytes.length;
  }

  /** The oldest event that a reader has not taken. */
  #needed(): number {
    return Math.min(...[...this.#readers].map(({ position }) => position));
  }

  #storeFrom(from: number): void {
    const pieces = this.#pieces.filter(({ next }) => next > from);
    const [oldest] = pieces;
    this.#storedTo = this.#tailFirst;
    if (oldest === undefined) return;
    this.#spilled = true;
    this.#store.run(
      "INSERT INTO run_events VALUES (?, ?, ?, CAST(? AS TEXT))",
      this.runId,
      oldest.first,
      this.#tailFirst - 1,
      pieces.length === 1 ? oldest.bytes : Buffer.concat(pieces.map(({ bytes }) => bytes)),
    );
  }

  #storedPiece(from: number): Piece | undefined {
    const row = this.#store.get(
      `SELECT first_id, last_id, CAST(frames AS BLOB) AS frames FROM run_events
       WHERE run_id = ? AND last_id >= ? ORDER BY first_id LIMIT 1`,
      this.runId,
      from,
    );
    if (!(row?.frames instanceof Uint8Array)) return undefined;
    const { buffer, byteOffset, byteLength } = row.frames;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return cut({ first: Number(row.first_id), next: Number(row.last_id) + 1, bytes }, from);
  }
}

/** A piece without the events before an id. */
function cut(piece: Piece, from: number): Piece {
  if (from <= piece.first) return piece;
  return { ...piece, first: from, bytes: piece.bytes.subarray(piece.bytes.indexOf(`id: ${from}\nevent: `)) };
}
