/** How soon what is shown follows what others do. */

import type * as vscode from "vscode";
import type { Clock } from "../../api/retry.ts";

/** Somebody may be looking: what others do is shown within this time. */
const attentiveMs = 10_000;
/** Nobody is likely to look at a window that was not touched for so long. */
const leftAfterMs = 10 * 60_000;
const leftMs = 60_000;

/** Knows for how long nobody has touched the window; the editor does not tell whether it can be seen. */
export class Attention implements vscode.Disposable {
  readonly #clock: Pick<Clock, "now">;
  readonly #subscription: vscode.Disposable;
  #untouchedSince: number | undefined;

  constructor(
    window: Pick<typeof vscode.window, "state" | "onDidChangeWindowState">,
    clock: Pick<Clock, "now">,
  ) {
    this.#clock = clock;
    this.#update(window.state);
    this.#subscription = window.onDidChangeWindowState((state) => this.#update(state));
  }

  /** The longest pause between two looks at what is shown. */
  readonly slowestMs = (): number => {
    const since = this.#untouchedSince;
    return since === undefined || this.#clock.now() - since < leftAfterMs ? attentiveMs : leftMs;
  };

  dispose(): void {
    this.#subscription.dispose();
  }

  #update({ active, focused }: vscode.WindowState): void {
    this.#untouchedSince = active || focused ? undefined : (this.#untouchedSince ?? this.#clock.now());
  }
}
