import { strict as assert } from "node:assert";
import { eventLine } from "../../../../src/run/raw/eventLine.ts";

describe("an event as a line of JSONL", () => {
  const line = (data: string) => eventLine({ index: 0, at: 0, event: "custom", data });

  it("keeps JSON as it came, on one line", () => {
    const data = '{"order": 12345678901234567890,\r\n  "cost": 1.10}';
    assert.equal(
      line(data),
      '{"at":"1970-01-01T00:00:00.000Z","event":"custom","data":{"order": 12345678901234567890,   "cost": 1.10}}',
    );
  });

  it("quotes what is no JSON, and names the event by its id", () => {
    for (const data of ["plain\ntext", '{"cut": ', "[".repeat(5000)]) {
      assert.equal((JSON.parse(line(data)) as { data: string }).data, data);
    }
    const named = JSON.parse(eventLine({ index: 0, at: 0, id: "7", event: "custom", data: "1" })) as object;
    assert.deepEqual(named, { at: "1970-01-01T00:00:00.000Z", id: "7", event: "custom", data: 1 });
  });
});
