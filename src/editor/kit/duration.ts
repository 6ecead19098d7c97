/** A span of time for people. */

/** "0 s", "42 s", "1 min 05 s", "2 h 03 min". */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${two(seconds % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${two(minutes % 60)} min`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
