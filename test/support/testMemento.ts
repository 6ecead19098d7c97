/** What the editor remembers for an extension, in memory; another window that opens it finds the same. */
export class TestMemento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get(key: string, fallback?: unknown): unknown {
    const text = this.#values.get(key);
    return text === undefined ? fallback : JSON.parse(text);
  }

  update(key: string, value: unknown): Promise<void> {
    this.set(key, value);
    return Promise.resolve();
  }

  set(key: string, value: unknown): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
  }
}
