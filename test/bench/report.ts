/** How benchmarks show their figures: a table for people and a line of JSON for programs. */

import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";

export type Figures = Readonly<Record<string, string | number>>;

export const projectFolder = join(import.meta.dirname, "..", "..");

/** What the figures were measured on. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpu?.model ?? "unknown processor"}, ${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** Prints one table; numbers stand to the right. */
export function report(title: string, rows: readonly Figures[], remarks: readonly string[] = []): void {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => {
    const cells = [name, ...rows.map((row) => shown(row[name]))];
    const width = Math.max(...cells.map((cell) => cell.length));
    const right = rows.some((row) => typeof row[name] === "number");
    return cells.map((cell) => (right ? cell.padStart(width) : cell.padEnd(width)));
  });
  const lines = Array.from({ length: rows.length + 1 }, (_, line) =>
    columns.map((column) => column[line]).join("  "),
  );
  console.log([`\n${title}`, ...lines, ...remarks].join("\n"));
  console.log(JSON.stringify({ benchmark: title, machine: machine(), rows }));
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

/** The version of an installed package. */
export function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"),
  ) as {
    version: string;
  };
  return `${name} ${version}`;
}

function shown(cell: string | number | undefined): string {
  if (cell === undefined) return "";
  if (typeof cell === "string") return cell;
  return cell.toLocaleString("en", { maximumFractionDigits: cell < 100 ? 2 : 0 });
}
