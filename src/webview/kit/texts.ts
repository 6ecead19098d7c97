/** How a text begins a sentence, and how high the box is in which one is typed. */

/** A text as a sentence begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How many rows a box for a text has: one for each line, within bounds. */
export function boxRows(text: string, most: number, least = 1): number {
  return Math.min(most, Math.max(least, text.split("\n", most).length));
}
