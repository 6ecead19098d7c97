/** One process that reads Parquet files: it may use so much memory, and has so much time for each answer. */

import { type ChildProcess, fork } from "node:child_process";
import { ParquetError } from "../../table/parquetError.ts";
import { nodeEnvironment } from "../kit/nodeProcess.ts";
import type { FromReader, ReaderRequest, ReaderResults, ToReader } from "./readerMessages.ts";

/** What a process may take. */
export interface ReaderLimits {
  /** For one answer. */
  readonly milliseconds: number;
  /** The heap, in MB; pages of a file are outside of it, and bounded by themselves. */
  readonly heapMegabytes: number;
}

/** How much of what the process said last is kept, to see why it ended. */
const keptWords = 20_000;

/** Started with the first one that is needed; ended when it takes too long. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #limits: ReaderLimits;
  readonly #bytes: Uint8Array | undefined;
  #lastWords = "";
  #settle: ((answer: FromReader | ParquetError) => void) | undefined;
  #over = false;

  /** Starts `program`; `bytes` are given to it when it asks for them. */
  constructor(program: string, limits: ReaderLimits, bytes?: Uint8Array) {
    this.#limits = limits;
    this.#bytes = bytes;
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
      if (answer.type === "failed") throw new ParquetError(answer.message, answer.remedy);
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
    if (message.type !== "bytes") {
      this.#settle?.(message);
      return;
    }
    const bytes = this.#bytes?.subarray(message.start, message.end) ?? new Uint8Array();
    this.#send({ type: "bytes", bytes });
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
