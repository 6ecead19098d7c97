/** Moments for people. */

/** A timestamp in the person's own way of writing it; one that is none as it was spelled, "" for one that is missing. */
export function localTime(timestamp: string | null | undefined): string {
  const text = timestamp ?? "";
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString();
}
