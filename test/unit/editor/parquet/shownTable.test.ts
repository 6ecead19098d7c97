import { deepEqual, equal, match } from "node:assert/strict";
import { ShownTable } from "../../../../src/editor/parquet/shownTable.ts";
import { TableReader } from "../../../../src/editor/parquet/tableReader.ts";
import type { Arranged, FromTable, ToTable } from "../../../../src/table/messages.ts";
import { parquetFile } from "../../../support/parquetFile.ts";
import { until } from "../../../support/until.ts";
import { readerProgram } from "../../../support/readerProgram.ts";

const rows = 4000;
const numbers = Array.from({ length: rows }, (_, index) => (index * 7919) % rows);
const bytes = parquetFile(
  [
    { name: "n", data: numbers, type: "INT32" },
    { name: "text", data: numbers.map((number) => `text ${String(number)}`), type: "STRING" },
  ],
  { rowGroupSize: 1000 },
);

describe("ShownTable", () => {
  let reader: TableReader;
  let table: ShownTable;
  let said: ToTable[];
  let copied: string[];
  /** Does something when the page is told something. */
  let onSaid: (message: ToTable) => void;

  beforeEach(async () => {
    reader = new TableReader({ name: "a.parquet", bytes }, { program: readerProgram });
    said = [];
    copied = [];
    onSaid = () => undefined;
    table = new ShownTable(reader, await reader.facts(), {
      send: (message) => {
        said.push(message);
        onSaid(message);
      },
      copy: (text) => Promise.resolve(void copied.push(text)),
    });
  });
  afterEach(() => reader.close());

  const arrange = (id: number, column: number, descending = false): Promise<void> =>
    table.answer({ type: "arrange", id, how: { sort: { column, descending } }, all: false });
  const arranged = (): (Arranged & { readonly id: number })[] =>
    said.flatMap((message) => (message.type === "arranged" ? [{ ...message.arranged, id: message.id }] : []));
  const stopsAt =
    (row: number, request: FromTable) =>
    (message: ToTable): void => {
      if (message.type === "arranging" && message.id === 1 && message.read === row)
        void table.answer(request);
    };
  const read = async (id: number, rowStart: number, rowEnd: number): Promise<unknown> => {
    said.length = 0;
    await table.answer({ type: "read", id, rowStart, rowEnd, columns: [1] });
    return said.map((message) =>
      message.type === "cells" && message.columns[0] !== undefined && "cells" in message.columns[0]
        ? [message.numbers, message.columns[0].cells.map(({ text }) => text)]
        : message,
    );
  };

  it("shows the rows of any order, each with its number, and copies from it", async () => {
    await arrange(1, 0, true);
    const [first = 0, second = 0] = [rows - 1, rows - 2].map((number) => numbers.indexOf(number));
    deepEqual(await read(1, 0, 2), [
      [
        [first, second],
        [`text ${String(rows - 1)}`, `text ${String(rows - 2)}`],
      ],
    ]);
    await table.answer({ type: "copy", id: 1, row: 1, column: 0 });
    deepEqual(copied, [String(rows - 2)]);
    await table.answer({ type: "reset" });
    deepEqual(await read(0, 0, 1), [[[0], ["text 0"]]]);
  });

  it("copies a range in the order that is shown, as spreadsheets and programs read it", async () => {
    await arrange(1, 0);
    const range = { rowStart: 0, rowEnd: 3, columnStart: 0, columnEnd: 2 };
    for (const form of ["text", "csv", "json"] as const)
      await table.answer({ type: "copyRange", id: 1, form, ...range });
    deepEqual(copied, [
      "0\ttext 0\n1\ttext 1\n2\ttext 2",
      "n,text\r\n0,text 0\r\n1,text 1\r\n2,text 2",
      '[\n  { "n": 0, "text": "text 0" },\n  { "n": 1, "text": "text 1" },\n  { "n": 2, "text": "text 2" }\n]',
    ]);
    deepEqual(said.at(-1), { type: "copied", words: "Copied 6 cells." });
  });

  it("answers nothing for an order that is over", async () => {
    await arrange(1, 0);
    await arrange(2, 1);
    deepEqual(await read(1, 0, 2), []);
    await table.answer({ type: "copy", id: 1, row: 1, column: 0 });
    deepEqual(copied, []);
  });

  it("shows what it has when somebody says enough, and the rest when asked for all", async () => {
    onSaid = stopsAt(2000, { type: "stop" });
    await arrange(1, 0);
    deepEqual(
      arranged().map(({ read: so, rows: shown, end }) => [so, shown, end]),
      [[2000, 2000, "stopped"]],
    );
    deepEqual(await read(1, 0, 1), [[[0], ["text 0"]]]);
    onSaid = () => undefined;
    await table.answer({
      type: "arrange",
      id: 2,
      how: { sort: { column: 0, descending: false } },
      all: true,
    });
    deepEqual([arranged().at(-1)?.read, arranged().at(-1)?.end], [rows, "all"]);
  });

  it("makes the order that was asked for last, whatever was begun before", async () => {
    onSaid = stopsAt(1000, {
      type: "arrange",
      id: 2,
      how: { sort: { column: 1, descending: true } },
      all: false,
    });
    await arrange(1, 0);
    await arrange(3, 0, true);
    deepEqual(
      arranged().map(({ id }) => id),
      [3],
    );
    equal(
      said.some(({ type }) => type === "notArranged"),
      false,
    );
  });

  it("leaves the order that is shown when it is taken back", async () => {
    onSaid = stopsAt(2000, { type: "reset" });
    await arrange(1, 0);
    deepEqual(arranged(), []);
    deepEqual(await read(0, 1, 2), [[[1], [`text ${String(numbers[1])}`]]]);
  });

  it("says so when the process ends meanwhile, and goes through the rows when asked again", async () => {
    onSaid = (message) => {
      if (message.type === "arranging" && message.read === 2000) reader.close();
    };
    await arrange(1, 0);
    match(JSON.stringify(said.at(-1)), /notArranged.*process that .* ended/);
    onSaid = () => undefined;
    await arrange(2, 0);
    equal(arranged().at(-1)?.end, "all");
  });

  const find = (id: number, text: string, search = 1): Promise<void> =>
    table.answer({ type: "find", id, search, sought: { text, matchCase: false }, all: false });
  const found = (): (readonly [search: number, cells: string])[] =>
    said.flatMap((message) =>
      message.type === "found" && message.cells.length > 0
        ? [[message.search, message.cells.map(({ row, column }) => `${row} ${column}`).join(", ")] as const]
        : [],
    );
  const ends = (): unknown[] =>
    said.flatMap((message) => (message.type === "findEnded" ? [[message.search, message.end]] : []));

  it("finds a text in the order that is shown, and nothing for one that is over", async () => {
    await arrange(1, 0);
    await find(1, "3999");
    deepEqual(found(), [[1, "3999 0, 3999 1"]]);
    deepEqual(ends(), [[1, "all"]]);
    said.length = 0;
    await find(0, "3999");
    deepEqual(said, []);
  });

  it("looks for the text that was typed last, and stops when somebody says enough", async () => {
    onSaid = (message) => {
      if (message.type === "found" && message.search === 1 && message.read === 1000) void find(0, "3999", 2);
      if (message.type === "found" && message.search === 2 && message.read === 2000)
        void table.answer({ type: "endFind" });
    };
    await find(0, "text");
    await until("the second has ended", () => ends().length === 1);
    deepEqual(ends(), [[2, "stopped"]]);
    equal(said.filter((message) => message.type === "found" && message.search === 1).length, 2);
  });
});
