/** An axis on which long pauses are short. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { axisOf } from "../../../../src/run/timeline/axis.ts";

describe("a timeline's axis", () => {
  const day = 86_400_000;

  it("is the time itself where nothing pauses for long", () => {
    const axis = axisOf([
      { from: 1500, to: 2000 },
      { from: 1000, to: 1600 },
      { from: 2010, to: 3000 },
    ]);
    equal(axis.length, 2000);
    deepEqual(axis.breaks, []);
    deepEqual([900, 1000, 1600, 2005, 3000, 9999].map(axis.offset), [0, 0, 600, 1005, 2000, 2000]);
    deepEqual([-1, 0, 600, 1005, 2000, 2001].map(axis.at), [1000, 1000, 1600, 2005, 3000, 3000]);
  });

  it("leaves out most of a long pause, and says which", () => {
    const axis = axisOf([
      { from: 0, to: 500 },
      { from: day, to: day + 500 },
    ]);
    deepEqual(axis.breaks, [{ from: 500, to: day, offset: 500, length: 40 }]);
    equal(axis.length, 1040);
    deepEqual([500, (day + 500) / 2, day, day + 500].map(axis.offset), [500, 520, 540, 1040]);
  });

  it("goes there and back for any times", () => {
    const axis = axisOf([
      { from: 100, to: 100 },
      { from: 5000, to: 9000 },
      { from: 7000, to: 7000 },
      { from: 5 * day, to: 5 * day + 30 },
    ]);
    for (let at = 5000; at < 9000; at += 37) ok(Math.abs(axis.at(axis.offset(at)) - at) < 0.01, `${at}`);
  });

  it("has no length without times", () => {
    const axis = axisOf([]);
    deepEqual([axis.length, axis.offset(5), axis.at(5)], [0, 0, 0]);
  });
});
