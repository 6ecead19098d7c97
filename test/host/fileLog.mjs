// Stands in for the editor's native log writer, which needs a compiler: the same interface, written synchronously.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

export const version = 0;
export function setLevel() {}
export function setFlushOn() {}

export async function createRotatingLogger(name, filename) {
  return new Logger("rotating", name, filename);
}
export const createAsyncRotatingLogger = createRotatingLogger;

export class Logger {
  #filename;
  #level = 2;
  #bare = false;

  constructor(_loggerType, _name, filename) {
    this.#filename = filename;
    mkdirSync(dirname(filename), { recursive: true });
  }

  trace = (message) => this.#write(0, message);
  debug = (message) => this.#write(1, message);
  info = (message) => this.#write(2, message);
  warn = (message) => this.#write(3, message);
  error = (message) => this.#write(4, message);
  critical = (message) => this.#write(5, message);

  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#bare = false;
  }
  clearFormatters() {
    this.#bare = true;
  }
  flush() {}
  drop() {}

  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    const line = this.#bare ? message : `${time} [${levels[level]}] ${message}\n`;
    try {
      appendFileSync(this.#filename, line);
    } catch {
      // The profile is being removed while its editor still ends.
    }
  }
}
