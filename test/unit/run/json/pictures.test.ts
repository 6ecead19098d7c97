import { deepEqual, equal, match } from "node:assert/strict";

import {
  type PictureReading,
  pictureAt,
  pictureIn,
  withoutPictures,
} from "../../../../src/run/json/pictures.ts";

/** One pixel each, as browsers draw it; the JPEG up to its size. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const gif = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const webp = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
const jpeg = Buffer.from(
  "ffd8ffe000104a46494600010100000100010000ffc0001108000200030301220002110103",
  "hex",
).toString("base64");
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString("base64");

describe("Pictures that come as data", () => {
  it("are read from the blocks of every spelling", () => {
    const url = `data:image/png;base64,${png}`;
    const blocks = [
      { type: "image_url", image_url: url },
      { type: "image_url", image_url: { url, detail: "low" } },
      { type: "input_image", image_url: url },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "image", source_type: "base64", mime_type: "image/png", data: png },
      { type: "image", mimeType: "image/png", data: png },
      { type: "image", data: url },
      { type: "image", url },
    ];
    const expected = { picture: { type: "image/png", data: png, width: 1, height: 1 } };
    for (const block of blocks) deepEqual(pictureIn(block), expected, JSON.stringify(block));
  });

  it("have the type and the size that their bytes say, whatever they are said to be", () => {
    const read = (data: string) => {
      const reading = pictureIn({ type: "image", mimeType: "image/bmp", data });
      if (reading === undefined || "refused" in reading) return reading;
      const { type, width, height } = reading.picture;
      return [type, width, height];
    };
    deepEqual(read(png), ["image/png", 1, 1]);
    deepEqual(read(gif), ["image/gif", 1, 1]);
    deepEqual(read(webp), ["image/webp", 1, 1]);
    deepEqual(read(jpeg), ["image/jpeg", 3, 2]);
  });

  it("are left to others when they stand elsewhere or are none", () => {
    for (const block of [
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      { type: "image_url", image_url: "data:text/html;base64,PGI+" },
      { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      { type: "image", file_id: "f" },
      { type: "file", data: png },
      { type: "image" },
    ])
      equal(pictureIn(block), undefined, JSON.stringify(block));
    equal(pictureAt("https://example.com"), undefined);
  });

  it("are refused in words: of a wrong type, damaged, too large, of too many pixels", () => {
    const vast = Buffer.from(png, "base64");
    vast.writeUInt32BE(60_000, 16);
    vast.writeUInt32BE(60_000, 20);
    const refusals: readonly (readonly [string, RegExp])[] = [
      [
        `data:image/svg+xml;base64,${svg}`,
        /^A picture is not shown: image\/svg\+xml is not PNG, JPEG, GIF or WebP\.$/,
      ],
      [`data:image/png;base64,${svg}`, /image\/png is not PNG/],
      ["data:image/png;base64,!!!!", /its data is damaged/],
      [`data:image/png;base64,${png.slice(0, 16)}`, /is not PNG/],
      [`data:image/jpeg;base64,/9j/${"AAAA".repeat(9)}`, /is not PNG, JPEG/],
      [`data:image/png;base64,${"A".repeat(27_000_000)}`, /it has 20\.3 MB, and at most 6 MB are shown/],
      [`data:image/png;base64,${vast.toString("base64")}`, /60000 × 60000 pixels, and at most 40 million/],
    ];
    for (const [url, why] of refusals) match(refusalOf(pictureAt(url)), why);
  });

  it("are taken out of a value, wherever they are in it", () => {
    const { rest, pictures } = withoutPictures({
      chart: `data:image/gif;base64,${gif}`,
      pages: [{ type: "image", mimeType: "image/png", data: png }, { n: 1 }, null],
    });
    deepEqual(rest, { chart: "Picture 1", pages: ["Picture 2", { n: 1 }, null] });
    deepEqual(
      pictures.map(({ type }) => type),
      ["image/gif", "image/png"],
    );
  });
});

function refusalOf(reading: PictureReading | undefined): string {
  return reading !== undefined && "refused" in reading
    ? reading.refused
    : `not refused: ${JSON.stringify(reading)}`;
}
