/** A piece of HTML, as opposed to text that is still to be escaped. */
export class Html {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/** What may stand in a template. */
export type Content = string | number | Html | readonly Html[];

/** HTML from a template: everything put into it is escaped, unless it is HTML itself. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + rendered(contents[index] ?? "")).join(""));
}

function rendered(content: Content): string {
  if (content instanceof Html) return content.toString();
  if (typeof content === "object") return content.join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
