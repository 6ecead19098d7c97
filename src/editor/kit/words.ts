/** Numbers, times and texts as people read and type them. */

/** "1 row", "1,204 rows", "2 waiting" of `counted(2, "waiting", "waiting")`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  // Grouping digits loads the languages of the whole runtime, some 8 ms at the first call.
  const digits = count < 1000 ? String(count) : count.toLocaleString("en-US");
  return `${digits} ${count === 1 ? one : many}`;
}

/** A text as a sentence begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** What a server says of a failure, as a part of a row: its first line without a full stop, cut where it is long. */
export function firstLine(text: string): string {
  const [first = ""] = text.trim().split(/[\r\n]+/);
  const line = oneLine(first).replace(/\.$/, "");
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
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
 * them text. What others wrote can neither hide something in it nor turn it around.
 */
export function inert(text: string): string {
  return visible(text).replaceAll("](", "]\u200b(");
}

/** A text without what is not seen and what turns the direction of writing; line breaks stay. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu, "")
    .replace(/\p{Cc}/gu, (control) => (control === "\n" ? control : " "));
}

/** A name that others chose, as it stands in a sentence: on one line. */
export function oneLine(name: string): string {
  return visible(name).replace(/\s+/g, " ").trim();
}

/** A name where the editor makes icons of `$(name)`: in lists of choices and in the status bar. */
export function withoutIcons(name: string): string {
  return oneLine(name).replaceAll("$(", "$\u200c(");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

const longestLine = 200;

/** "14:05" today, else with the day. */
export function timeOrDay(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
