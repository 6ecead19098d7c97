/** One process that reads Parquet files: it may use so much memory, and has so much time for each answer. */

import { type ChildProcess, fork } from "node:child_process";
import type { Dispatcher } from "undici";
import { ParquetError } from "../../table/parquetError.ts";
import { nodeEnvironment } from "../kit/nodeProcess.ts";
import { type BucketAnswer, type BucketRequest, sendBucketRequest } from "./bucketRequests.ts";
import type { FromReader, ReaderRequest, ReaderResults, ToReader } from "./readerMessages.ts";

/** What a process may take. */
export interface ReaderLimits {
  /** For one answer. */
  readonly milliseconds: number;
  /** The heap, in MB; pages of a file are outside of it, and bounded by themselves. */
  readonly heapMegabytes: number;
}

/** What the process is given when it asks for it. */
export interface ReaderHost {
  /** The whole file. */
  readonly bytes?: Uint8Array;
  /** What its requests are sent by. */
  readonly dispatcher?: () => Promise<Dispatcher>;
}

/** How much of what the process said last is kept, to see why it ended. */
const keptWords = 20_000;

/** Started with the first one that is needed; ended when it takes too long. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #limits: ReaderLimits;
  readonly #host: ReaderHost;
  #lastWords = "";
  #settle: ((answer: FromReader | ParquetError) => void) | undefined;
  #over = false;

  /** Starts `program`. */
  constructor(program: string, limits: ReaderLimits, host: ReaderHost) {
    this.#limits = limits;
    this.#host = host;
    this.#child = fork(program, [String(limits.milliseconds + 2000)], {
      env: nodeEnvironment(),
      execArgv: [`--max-old-space-size=${limits.heapMegabytes}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-keptWords);
    });
    this.#child.on("message", (message: FromReader) => this.#take(message));
    this.#child.on("error", (error) => this.#end(endedError(error.message, error)));
    this.#child.on("close", (code, signal) => {
      const memory = /heap|allocation failed|out of memory/i.test(this.#lastWords);
      this.#end(memory ? memoryError(this.#limits) : endedError(signal ?? `code ${String(code)}`));
    });
  }

  /** It ended, or was ended, and answers no more. */
  get over(): boolean {
    return this.#over;
  }

  /** Asks for one thing at a time; throws ParquetError. */
  async ask<Type extends ReaderRequest["type"]>(
    request: Extract<ReaderRequest, { type: Type }>,
  ): Promise<ReaderResults[Type]> {
    if (this.#over) throw endedError("it was ended");
    const deadline = setTimeout(() => this.#end(slowError(this.#limits)), this.#limits.milliseconds);
    try {
      const answer = await new Promise<FromReader | ParquetError>((settle) => {
        this.#settle = settle;
        this.#send(request);
      });
      if (answer instanceof ParquetError) throw answer;
      if (answer.type === "failed")
        throw new ParquetError(answer.message, answer.remedy, { reason: answer.reason });
      // The process answers each request with its own result.
      if (answer.type === "done") return answer.result as ReaderResults[Type];
      throw endedError("it answered something else");
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Ends the process, whatever it does. */
  end(): void {
    this.#end(endedError("it was ended"));
  }

  #take(message: FromReader): void {
    if (message.type === "request") {
      void this.#answer(message.id, message.request);
    } else if (message.type === "bytes") {
      const bytes = this.#host.bytes?.subarray(message.start, message.end) ?? new Uint8Array();
      this.#send({ type: "bytes", bytes });
    } else {
      this.#settle?.(message);
    }
  }

  async #answer(id: number, request: BucketRequest): Promise<void> {
    const dispatcher = await this.#host.dispatcher?.();
    const answer: BucketAnswer =
      dispatcher === undefined
        ? { problem: "nothing is sent" }
        : await sendBucketRequest(dispatcher, request);
    if (!this.#over) this.#send({ type: "answer", id, answer });
  }

  #send(message: ToReader): void {
    this.#child.send(message, (error) => {
      if (error !== null) this.#end(endedError(error.message, error));
    });
  }

  #end(error: ParquetError): void {
    if (this.#over) return;
    this.#over = true;
    this.#child.kill("SIGKILL");
    this.#settle?.(error);
  }
}

const damaged =
  "The file may be damaged: export or download it again. Other columns and rows can still be looked at.";

function slowError({ milliseconds }: ReaderLimits): ParquetError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new ParquetError(`Reading took longer than ${seconds} s and was stopped.`, damaged, {
    reason: "slow",
  });
}

function memoryError({ heapMegabytes }: ReaderLimits): ParquetError {
  return new ParquetError(
    `Reading needed more than ${heapMegabytes} MB of memory and was stopped.`,
    damaged,
    {
      reason: "memory",
    },
  );
}

function endedError(how: string, cause?: unknown): ParquetError {
  return new ParquetError(`The process that reads the file ended (${how}).`, damaged, {
    reason: "ended",
    cause,
  });
}
