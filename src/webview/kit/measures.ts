/** Times, sizes and counts as people read them. */

const numbers = new Intl.NumberFormat("en-US");
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

/** "400 ms", "4.2 s", "12 s", "3 m 05 s", "2 h 10 m" for milliseconds. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${pad(Math.floor(seconds % 60))} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`;
}

/** "812 characters", "12 kB", "3.4 MB", "1.2 GB"; small ones in the unit that they were counted in. */
export function size(value: number, unit = "characters"): string {
  if (value < 1000) return `${value} ${unit}`;
  if (value < 1_000_000) return `${Math.round(value / 1000)} kB`;
  return value < 1_000_000_000
    ? `${(value / 1_000_000).toFixed(1)} MB`
    : `${(value / 1_000_000_000).toFixed(1)} GB`;
}

/** "12,345". */
export function count(value: number): string {
  return numbers.format(value);
}

/** "1 tool call", "3 tool calls". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** "14:05:09.120" in the user's time zone. */
export function timeOfDay(at: number): string {
  return clock.format(at);
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
