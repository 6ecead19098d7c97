/** Pictures in what agents and tools say: content blocks and data URLs of many spellings, read as one, within bounds. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { fieldOf, isList, isObject, textOf } from "./json.ts";

/** In base64, which is a third more than the picture has. */
const mostCharacters = 8_000_000;
const mostPixels = 40_000_000;
/** The size of a JPEG stands after its metadata, which may hold a small picture of its own. */
const headCharacters = 400_000;

const dataUrl = /^data:([\w.+/-]+)(?:;[\w=.-]+)*;base64,/;

/** A picture that came as data. */
export interface Picture {
  readonly type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Base64. */
  readonly data: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A picture, or why it is not shown, in words. */
export type PictureReading = { readonly picture: Picture } | { readonly refused: string };

/** The picture that a content block holds as data; undefined for any other block, and for pictures elsewhere. */
export function pictureIn(block: JsonObject): PictureReading | undefined {
  const { type } = block;
  if (type !== "image" && type !== "image_url" && type !== "input_image") return undefined;
  const source = isObject(block["source"]) ? block["source"] : block;
  const inner = isObject(block["image_url"]) ? block["image_url"] : source;
  const url = textOf(fieldOf(inner, "url", "image_url"));
  if (url !== undefined) return pictureAt(url);
  const data = textOf(fieldOf(source, "data", "base64"));
  if (data === undefined) return undefined;
  return pictureAt(data) ?? readPicture(data, textOf(fieldOf(source, "mime_type", "mimeType", "media_type")));
}

/** The picture that a data URL is. */
export function pictureAt(url: string): PictureReading | undefined {
  const start = dataUrl.exec(url.slice(0, 200));
  if (start?.[1]?.startsWith("image/") !== true) return undefined;
  return readPicture(url.slice(start[0].length), start[1]);
}

/** A value without its pictures, in place of which words stand, and the pictures. */
export function withoutPictures(value: Json): { readonly rest: Json; readonly pictures: readonly Picture[] } {
  const pictures: Picture[] = [];
  const words = (reading: PictureReading): string => {
    if ("refused" in reading) return reading.refused;
    pictures.push(reading.picture);
    return `Picture ${pictures.length}`;
  };
  const visit = (part: Json, depth: number): Json => {
    if (depth > 20) return part;
    if (typeof part === "string") {
      const reading = pictureAt(part);
      return reading === undefined ? part : words(reading);
    }
    if (isList(part)) return part.map((item) => visit(item, depth + 1));
    if (!isObject(part)) return part;
    const reading = pictureIn(part);
    if (reading !== undefined) return words(reading);
    return Object.fromEntries(
      Object.entries(part).map(([name, field]) => [name, visit(field ?? null, depth + 1)]),
    );
  };
  return { rest: visit(value, 0), pictures };
}

/** Whether they are the same pictures. */
export function samePictures(some: readonly Picture[], others: readonly Picture[]): boolean {
  return some.length === others.length && some.every(({ data }, index) => data === others[index]?.data);
}

function readPicture(base64: string, said: string | undefined): PictureReading {
  const refused = (why: string): PictureReading => ({ refused: `A picture is not shown: ${why}.` });
  const megabytes = (base64.length * 0.75) / 1_000_000;
  if (base64.length > mostCharacters)
    return refused(`it has ${megabytes.toFixed(1)} MB, and at most ${mostCharacters * 0.75e-6} MB are shown`);
  const bytes = bytesOf(base64.slice(0, headCharacters));
  if (bytes === undefined) return refused("its data is damaged");
  const found = sizeOf(bytes);
  if (found === undefined) return refused(`${said ?? "its data"} is not PNG, JPEG, GIF or WebP`);
  const { type, width, height } = found;
  if (width * height > mostPixels || width * height === 0)
    return refused(
      `it has ${width} × ${height} pixels, and at most ${mostPixels / 1_000_000} million are shown`,
    );
  return { picture: { type, data: base64, width, height } };
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64.slice(0, base64.length - (base64.length % 4))), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}

type Head = Pick<Picture, "type" | "width" | "height">;

/** The type of a picture by its first bytes, whatever it is said to be, and its size in pixels. */
function sizeOf(bytes: Uint8Array): Head | undefined {
  const view = new DataView(bytes.buffer);
  const text = String.fromCharCode(...bytes.subarray(0, 16));
  try {
    if (text.startsWith("\x89PNG\r\n\x1a\n"))
      return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
    if (/^GIF8[79]a/.test(text))
      return { type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (/^RIFF[^]{4}WEBPVP8/.test(text)) return webpSize(view, text[15]);
    if (text.startsWith("\xff\xd8\xff")) return jpegSize(view);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function webpSize(view: DataView, kind: string | undefined): Head | undefined {
  const type = "image/webp";
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (kind === "X") return { type, width: three(24) + 1, height: three(27) + 1 };
  if (kind === "L") {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** Goes from segment to segment until the one with the size. */
function jpegSize(view: DataView): Head {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { type: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (marker >> 8 !== 0xff) throw new RangeError("no segment");
  }
}
