import { deepEqual, equal, match } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { type Picture, pictureAt, samePictures, withoutPictures } from "../../../../src/run/json/pictures.ts";

const urlOf = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString("base64")}`;

/** Type, width and height as read; undefined where it is no picture, the reason where it is refused. */
function read(bytes: Buffer): unknown {
  const reading = pictureAt(urlOf(bytes));
  if (reading === undefined || "refused" in reading) return reading?.refused;
  const { type, width, height } = reading.picture;
  return [type, width, height];
}

function png(width: number, height: number, size = 24): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function gif(version: string, width: number, height: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.write(version, "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

function webp(kind: string, fill: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write(`RIFF????WEBPVP8${kind}`, "latin1");
  fill(bytes);
  return bytes;
}

/** A JPEG with segments of these lengths before the one of the marker, which has the size. */
function jpeg(marker: number, width: number, height: number, before: readonly number[] = []): Buffer {
  const segments = before.map((length) => {
    const segment = Buffer.alloc(length);
    segment.writeUInt16BE(0xffe1);
    segment.writeUInt16BE(length - 2, 2);
    return segment;
  });
  const frame = Buffer.alloc(9);
  frame.writeUInt16BE(marker);
  frame.writeUInt16BE(7, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from("ffd8", "hex"), ...segments, frame]);
}

const notKnown = /is not PNG, JPEG, GIF or WebP/;

describe("The head of a picture", () => {
  it("says its width and its height, each in its place", () => {
    deepEqual(read(png(300, 70_000)), ["image/png", 300, 70_000]);
    deepEqual(read(gif("GIF87a", 300, 513)), ["image/gif", 300, 513]);
    deepEqual(read(gif("GIF89a", 513, 300)), ["image/gif", 513, 300]);
    const extended = webp(
      "X",
      (bytes) => bytes.writeUIntLE(70_000 - 1, 24, 3) && bytes.writeUIntLE(299, 27, 3),
    );
    deepEqual(read(extended), ["image/webp", 70_000, 300]);
    const tall = webp("X", (bytes) => bytes.writeUIntLE(299, 24, 3) && bytes.writeUIntLE(70_000 - 1, 27, 3));
    deepEqual(read(tall), ["image/webp", 300, 70_000]);
    const lossless = webp("L", (bytes) => bytes.writeUInt32LE((0xf0000000 | (399 << 14) | 299) >>> 0, 21));
    deepEqual(read(lossless), ["image/webp", 300, 400]);
    const widest = webp("L", (bytes) => bytes.writeUInt32LE((0x3fff << 14) >>> 0, 21));
    deepEqual(read(widest), ["image/webp", 1, 16_384]);
    const lossy = webp(
      " ",
      (bytes) => bytes.writeUInt16LE(0xc000 + 300, 26) && bytes.writeUInt16LE(0x4000 + 400, 28),
    );
    deepEqual(read(lossy), ["image/webp", 300, 400]);
    const odd = webp(" ", (bytes) => bytes.writeUInt16LE(0x3fff, 26) && bytes.writeUInt16LE(0x2001, 28));
    match(String(read(odd)), /it has 16383 × 8193 pixels/);
  });

  it("of a JPEG stands in its frame, of whatever kind that is, behind all other segments", () => {
    for (let marker = 0xffc0; marker <= 0xffcf; marker += 1) {
      const shown = read(jpeg(marker, 300, 513, [4, 20]));
      if ([0xffc4, 0xffc8, 0xffcc].includes(marker)) match(String(shown), notKnown, marker.toString(16));
      else deepEqual(shown, ["image/jpeg", 300, 513], marker.toString(16));
    }
    match(String(read(jpeg(0xffd0, 300, 513))), notKnown);
    match(String(read(jpeg(0xfec0, 300, 513))), notKnown);
    match(String(read(jpeg(0xffbf, 300, 513))), notKnown);
  });

  it("of a JPEG is looked for in its first 300,000 bytes", () => {
    const filled = (size: number): Buffer => {
      const behind = size - 2 - 9;
      const whole = Math.floor(behind / 60_000);
      return jpeg(0xffc0, 3, 2, [...Array<number>(whole).fill(60_000), behind - whole * 60_000]);
    };
    deepEqual(read(filled(300_000)), ["image/jpeg", 3, 2]);
    match(String(read(filled(300_001))), notKnown);
  });

  it("may promise forty million pixels, and must promise one", () => {
    deepEqual(read(png(8000, 5000)), ["image/png", 8000, 5000]);
    match(String(read(png(8000, 5001))), /it has 8000 × 5001 pixels, and at most 40 million are shown/);
    match(String(read(png(0, 5))), /it has 0 × 5 pixels/);
    match(String(read(png(5, 0))), /it has 5 × 0 pixels/);
  });

  it("is read of six megabytes, and of no more", () => {
    deepEqual(read(png(1, 1, 6_000_000)), ["image/png", 1, 1]);
    match(String(read(png(1, 1, 6_000_001))), /at most 6 MB/);
  });
});

describe("A picture in a value", () => {
  const url = urlOf(png(1, 1));

  it("may have parameters in its address, up to 200 characters in all", () => {
    const [head = "", data = ""] = url.split(";");
    const withHead = (length: number): string =>
      `${head};x=${"a".repeat(length - head.length - ";x=;base64,".length)};${data}`;
    equal("picture" in (pictureAt(withHead(200)) ?? {}), true);
    equal(pictureAt(withHead(201)), undefined);
  });

  it("is taken out of twenty lists or objects around it, and out of no more", () => {
    const within = (levels: number, open: string, close: string): string => {
      const text = open.repeat(levels) + JSON.stringify(url) + close.repeat(levels);
      return JSON.stringify(withoutPictures(JSON.parse(text) as Json));
    };
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      match(within(20, open, close), /Picture 1/);
      equal(within(21, open, close).includes("Picture"), false);
    }
  });

  it("is the same as another one by its data, each in its place", () => {
    const picture = (data: string): Picture => ({ type: "image/png", data, width: 1, height: 1 });
    const [a, b] = [picture("a"), picture("b")];
    deepEqual(
      [
        samePictures([], []),
        samePictures([a, b], [picture("a"), picture("b")]),
        samePictures([a], [b]),
        samePictures([a, b], [b, a]),
        samePictures([a], [a, b]),
        samePictures([a, b], [a]),
      ],
      [true, true, false, false, false, false],
    );
  });
});
