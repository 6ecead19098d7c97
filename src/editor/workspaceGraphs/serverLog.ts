/** A graph server's log, line by line: what it tells about the server, and the lines that were said last. */

import { stripVTControlCharacters } from "node:util";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Why graphs do not load or a server ended, in the server's own words. */
export interface ServerError {
  /** Its first line. */
  readonly message: string;
  /** Where in the project's sources, as far as the words tell; line and column from 1. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | undefined;
  /** Which graph of the file it is about, from 0; undefined where the words don't tell. */
  readonly graph: number | undefined;
}

/** What a server is doing as far as its log tells. */
export type Phase = "loading" | "ready" | "ending";

/** The lines that are kept; up to twice as many until they are trimmed again. */
const most = 10_000;
/** More lines of one error are not looked at. */
const mostOfError = 200;

/** A source was saved, or what the command line itself reads: `langgraph.json` and the env file. */
const change = /\[tsx\] change in (?:\.\/)?(\S+) Re|Detected changes in (\S+), restarting server/;

/** Reads it as it grows. */
export class ServerLog {
  readonly #folder: string;
  #lines: string[] = [];
  #trimmed = 0;
  #rest = "";
  #phase: Phase = "loading";
  #error: string[] | undefined;
  /** Whether lines still belong to the error. */
  #inError = false;
  /** How often the server began to load its graphs. */
  #loads = 0;
  readonly #inspectors: string[] = [];
  /** Whose saving the loader has noticed since it loaded the graphs last. */
  #noticed: string | undefined;
  #savedFile: string | undefined;

  /** `folder` is the project's: only locations in it count. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get loads(): number {
    return this.#loads;
  }

  /** Whose saving made the graphs load anew, as a path from the project's folder; undefined where nothing was saved. */
  get savedFile(): string | undefined {
    return this.#savedFile;
  }

  /** Where processes listen to a debugger, `ws://…`, in the order in which they said so. */
  get inspectors(): readonly string[] {
    return this.#inspectors;
  }

  /** The error that was told last, since the graphs were last loaded. */
  get error(): ServerError | undefined {
    const [first, ...rest] = this.#error ?? [];
    if (first === undefined) return undefined;
    const inner = /^(?:Error: )?Transform failed/.test(first) ? rest[0] : undefined;
    const about = rest
      .map((line) => /Promise\.all \(index (\d+)\)/.exec(line)?.[1])
      .find((index) => index !== undefined);
    return {
      message: /graph is nullush/.test(first)
        ? "A graph is not exported by the source that langgraph.json names."
        : (inner?.replace(/^.*?: ERROR: /, "") ?? first),
      location: locationIn([first, ...rest], this.#folder),
      graph: about === undefined ? undefined : Number(about),
    };
  }

  /** What was said last: the last line that names an error, else the last one. */
  get lastWords(): string {
    const said = this.#lines.slice(-50).filter((line) => line.trim() !== "");
    return said.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? said.at(-1) ?? "";
  }

  /** All lines that are kept, as a text. */
  get text(): string {
    const note = this.#trimmed === 0 ? [] : [`… ${String(this.#trimmed)} lines trimmed`];
    return [...note, ...this.#lines, this.#rest].join("\n");
  }

  /** Takes what was added to the log. */
  take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(plain(line));
  }

  #line(line: string): void {
    this.#keep(line);
    const said = /^(info|warn|error|debug):\s+[▪┏] ?(.*)$/.exec(line);
    if (said !== null || /\[tsx\]/.test(line)) this.#inError = false;
    const [, level, words = line] = said ?? [];
    const [, source, settings] = change.exec(line) ?? [];
    const noticed = source ?? settings;
    if (noticed !== undefined) [this.#noticed, this.#phase] = [noticed, "ending"];
    const inspector = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/\S+)/.exec(line)?.[1];
    if (inspector !== undefined) this.#inspectors.push(inspector);
    else if (level === "error") {
      this.#error = [words];
      this.#inError = true;
    } else if (/^Starting server\.\.\./.test(words)) {
      this.#phase = "loading";
      this.#loads += 1;
      this.#savedFile = this.#noticed;
      this.#noticed = undefined;
      this.#error = undefined;
    } else if (/^Server running at /.test(words)) this.#phase = "ready";
    else if (/^Flushing to persistent storage, exiting/.test(words)) this.#phase = "ending";
    else if (this.#inError && (this.#error?.length ?? 0) < mostOfError) this.#error?.push(line);
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length < 2 * most) return;
    this.#trimmed += this.#lines.length - most;
    this.#lines = this.#lines.slice(-most);
  }
}

/** The first location in the project's own sources. */
function locationIn(lines: readonly string[], folder: string): ServerError["location"] {
  for (const line of lines) {
    const [, path = "", row, column] =
      /(?:^|\(|at )((?:file:\/\/)?(?:[A-Za-z]:)?[^\s():]+):(\d+):(\d+)/.exec(line) ?? [];
    if (row === undefined || path.includes("node_modules") || path.startsWith("node:")) continue;
    const file = path.startsWith("file:") ? fileURLToPath(path) : resolve(folder, path);
    if (file.startsWith(folder + sep)) return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Without the colours of a terminal. */
function plain(line: string): string {
  return stripVTControlCharacters(line).trimEnd();
}
