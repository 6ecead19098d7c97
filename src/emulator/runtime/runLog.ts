import type { Store } from "../store.ts";

/** Frames kept together: sent to readers and stored as one piece. */
interface Chunk {
  readonly first: number;
  readonly frames: string[];
  bytes: number;
  /** All frames as one text; made once, then shared by every reader and the store. */
  text: string | undefined;
  stored: boolean;
}

const chunkBytes = 64 * 1024;
const keptChunks = 16;
const farBehindBytes = 512 * 1024;
const patienceMs = 500;

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
  #chunks: Chunk[] = [];
  #next: number;
  #bytes = 0;
  #ended: boolean;
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
    this.#ended = past !== undefined && past.open !== true;
  }

  /** The id of the next event. */
  get next(): number {
    return this.#next;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How much has been written so far, in characters. */
  get written(): number {
    return this.#bytes;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Adds an event whose data is one line of JSON. */
  append(event: string, data: string): void {
    if (this.#ended) return;
    const id = this.#next++;
    const frame = `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.text !== undefined || chunk.bytes >= chunkBytes) {
      if (chunk !== undefined) seal(chunk);
      chunk = { first: id, frames: [], bytes: 0, text: undefined, stored: false };
      this.#chunks.push(chunk);
      if (this.#chunks.length > 2) this.#evict();
    }
    chunk.frames.push(frame);
    chunk.bytes += frame.length;
    this.#bytes += frame.length;
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

  /** Stores everything that is not stored yet. */
  flush(): void {
    for (const chunk of this.#chunks) this.#storeChunk(chunk);
  }

  /** Stores everything and holds nothing in memory, if nobody reads. */
  rest(): void {
    if (this.#readers.size > 0) return;
    this.flush();
    this.#chunks = [];
  }

  /** Follows the stream after the event with this id; -1 is from the start. */
  read(after: number): LogReader {
    const reader = new LogReader(this, Math.max(0, Math.min(after + 1, this.#next)));
    this.#readers.add(reader);
    return reader;
  }

  /** Waits while the fastest reader that still moves is far behind; a stuck reader holds nobody up. */
  async room(signal: AbortSignal): Promise<void> {
    for (;;) {
      const moving = [...this.#readers].filter(({ stuck }) => !stuck);
      if (moving.length === 0 || moving.some(({ taken }) => this.#bytes - taken < farBehindBytes)) return;
      const moved = await this.#waitForProgress(signal);
      if (!moved) for (const reader of moving) reader.stuck = true;
    }
  }

  /** The frames from an id on, at most about one chunk; undefined when there are none yet. */
  frames(from: number): { readonly text: string; readonly next: number } | undefined {
    if (from >= this.#next) return undefined;
    const oldest = this.#chunks[0];
    if (oldest === undefined) return this.#storedFrames(from);
    if (from < oldest.first) return this.#storedFrames(from) ?? this.frames(oldest.first);
    const chunk = this.#chunks.findLast(({ first }) => first <= from) ?? oldest;
    const next = chunk.first + chunk.frames.length;
    if (from === chunk.first) return { text: chunk.text ?? chunk.frames.join(""), next };
    return { text: chunk.frames.slice(from - chunk.first).join(""), next };
  }

  /** Called by readers when they took something or left. */
  moved(reader: LogReader, left: boolean): void {
    if (left) this.#readers.delete(reader);
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

  /** Removes what was stored only for slow readers, once nobody reads any more. */
  #forget(): void {
    if (this.resumable || !this.#ended || !this.#spilled || this.#readers.size > 0) return;
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
      const timer = setTimeout(() => done(false), patienceMs);
      signal.addEventListener("abort", stop, { once: true });
      this.#progress = () => done(true);
    });
  }

  /** Lets go of what every reader has taken, and of the oldest part when a slow reader needs too much. */
  #evict(): void {
    const needed = Math.min(...[...this.#readers].map(({ position }) => position));
    const spare = this.#chunks.length - keptChunks;
    this.#chunks = this.#chunks.filter((chunk, index) => {
      const taken = chunk.first + chunk.frames.length <= needed;
      const kept = index === this.#chunks.length - 1 || (!taken && index >= spare);
      if (!kept && (this.resumable || !taken)) this.#storeChunk(chunk);
      return kept;
    });
  }

  #storeChunk(chunk: Chunk): void {
    if (chunk.stored) return;
    chunk.stored = true;
    this.#spilled = true;
    const last = chunk.first + chunk.frames.length - 1;
    this.#store.run("INSERT INTO run_events VALUES (?, ?, ?, ?)", this.runId, chunk.first, last, seal(chunk));
  }

  #storedFrames(from: number): { readonly text: string; readonly next: number } | undefined {
    const row = this.#store.get(
      "SELECT * FROM run_events WHERE run_id = ? AND last_id >= ? ORDER BY first_id LIMIT 1",
      this.runId,
      from,
    );
    if (row === undefined) return undefined;
    const next = Number(row.last_id) + 1;
    const first = Number(row.first_id);
    const text = String(row.frames);
    if (from <= first) return { text, next };
    return { text: text.slice(text.indexOf(`id: ${from}\nevent: `)), next };
  }
}

/** One follower of a run's stream. */
export class LogReader {
  /** The id of the next event it takes. */
  position: number;
  /** How much of the stream it has taken, in characters of the whole. */
  taken: number;
  /** It has not moved for a while, so the run no longer waits for it. */
  stuck = false;
  readonly #log: RunLog;
  #resolve: (() => void) | undefined;
  #left = false;

  constructor(log: RunLog, position: number) {
    this.#log = log;
    this.position = position;
    this.taken = log.written;
  }

  /** The next frames, as soon as there are any; undefined at the end of the stream or after `leave`. */
  async take(): Promise<string | undefined> {
    for (;;) {
      if (this.#left) return undefined;
      const frames = this.#log.frames(this.position);
      if (frames !== undefined) {
        this.position = frames.next;
        this.taken = this.position === this.#log.next ? this.#log.written : this.taken + frames.text.length;
        this.stuck = false;
        this.#log.moved(this, false);
        return frames.text;
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

  /** Stops following. */
  leave(): void {
    this.#left = true;
    this.#log.moved(this, true);
    this.wake();
  }
}

function seal(chunk: Chunk): string {
  chunk.text ??= chunk.frames.join("");
  return chunk.text;
}
