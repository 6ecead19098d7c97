/**
 * A text for a notification, a question or a progress: there the editor makes links of `[words](https:…)` and
 * `[words](command:…)`, also of those that a server or an agent wrote. An invisible space between the two halves keeps
 * them text.
 */
export function inert(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}
