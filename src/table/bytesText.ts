/** Bytes as text: what they spell, or what they are. */

/** The text of bytes, as far as it is looked at. */
export interface BytesText {
  /** Undefined when they spell nothing. */
  readonly text: string | undefined;
  /** How many characters all bytes have. */
  readonly length: () => number;
}

/** The first `most` characters or a few more; a text is not unpacked further than it is shown. */
export function spelled(bytes: Uint8Array, most: number): BytesText {
  const head = bytes.subarray(0, 4 * most);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(head, { stream: head.length < bytes.length });
    return { text, length: () => (head.length < bytes.length ? utf16Length(bytes) : text.length) };
  } catch {
    return { text: undefined, length: () => 0 };
  }
}

/** Bytes as DuckDB shows a BLOB: printable ASCII as it is, all else as \x00. */
export function escaped(bytes: Uint8Array, most: number): BytesText & { readonly text: string } {
  let text = "";
  for (const byte of bytes.subarray(0, most)) text += escapes[byte] ?? "";
  const length = (): number => bytes.reduce((sum, byte) => sum + (escapes[byte] ?? "").length, 0);
  return { text, length };
}

/** 16 bytes as 00000000-0000-0000-0000-000000000000. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const escapes = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return byte >= 32 && byte <= 126 && !`\\'"`.includes(character)
    ? character
    : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

function utf16Length(bytes: Uint8Array): number {
  let length = 0;
  // Each character has one byte that is no continuation; those of four bytes are two units long.
  for (const byte of bytes) length += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return length;
}
