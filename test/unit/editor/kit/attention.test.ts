import { deepEqual } from "node:assert/strict";
import { Attention } from "../../../../src/editor/kit/attention.ts";

describe("How soon a window follows what others do", () => {
  it("is ten seconds, and a minute when nobody touched the window for ten", () => {
    let now = 0;
    let tell: (state: { active: boolean; focused: boolean }) => void = () => undefined;
    const window = {
      state: { active: true, focused: true },
      onDidChangeWindowState: (listener: typeof tell) => {
        tell = listener;
        return { dispose: () => undefined };
      },
    };
    const attention = new Attention(window, { now: () => now });
    const after = (minutes: number): number => {
      now += minutes * 60_000;
      return attention.slowestMs();
    };
    const seen = [after(60)];
    // It may be seen beside another window.
    tell({ active: false, focused: false });
    seen.push(after(9), after(2));
    // Being told again is no touch.
    tell({ active: false, focused: false });
    seen.push(after(0));
    tell({ active: true, focused: false });
    seen.push(after(60));
    deepEqual(seen, [10_000, 10_000, 60_000, 60_000, 10_000]);
  });
});
