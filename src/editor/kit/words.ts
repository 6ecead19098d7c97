/** Numbers, times and texts as people read and type them. */

/** "1 row", "1,204 rows", "2 need you" of `counted(2, "needs you", "need you")`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  // Grouping digits loads the languages of the whole runtime, some 8 ms at the first call.
  const digits = count < 1000 ? String(count) : count.toLocaleString("en-US");
  return `${digits} ${count === 1 ? one : many}`;
}

/** Parts of a description with dots between them; empty ones are left out. */
export function dotted(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

/** A timestamp in the person's own way of writing it; one that is none as it was spelled, "" for one that is missing. */
export function localTime(timestamp: string | null | undefined): string {
  const text = timestamp ?? "";
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString();
}

/** A span of milliseconds: "0 s", "42 s", "1 min 05 s", "2 h 03 min". */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${twoDigits(seconds % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} min`;
}

/** Whether a text is a UUID, as platforms make their ids. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * A text for a notification, a question or a progress: there the editor makes links of `[words](https:…)` and
 * `[words](command:…)`, also of those that a server or an agent wrote. An invisible space between the two halves keeps
 * them text.
 */
export function inert(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
