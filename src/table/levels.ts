/**
 * Numbers in Parquet's hybrid of run lengths and packed bits: levels, indexes into a dictionary, booleans.
 * A run is read as far as it is wanted, however long it says to be.
 *
 * Source: apache/parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
 */

/** Fills `output` with numbers of `width` bits; throws when the bytes end before. */
export function readHybrid(bytes: Uint8Array, width: number, output: Uint8Array | Int32Array): void {
  if (width > 32) throw new Error(`numbers of ${width} bits`);
  let at = 0;
  let filled = 0;
  while (width > 0 && filled < output.length) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = byteAt(bytes, at++);
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      if (shift > 28) throw new Error("a run is too long");
    }
    const count = Math.floor(header / 2);
    const left = output.length - filled;
    if (header % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= byteAt(bytes, at++) << shift;
      const end = filled + Math.min(count, left);
      output.fill(value, filled, end);
      filled = end;
    } else {
      const values = Math.min(count * 8, left);
      unpackBits(bytes.subarray(at), width, output.subarray(filled, filled + values));
      at += count * width;
      filled += values;
    }
  }
}

function unpackBits(bytes: Uint8Array, width: number, output: Uint8Array | Int32Array): void {
  let at = 0;
  let bit = 0;
  for (let index = 0; index < output.length; index++) {
    let value = 0;
    for (let read = 0; read < width;) {
      const taken = Math.min(8 - bit, width - read);
      value |= ((byteAt(bytes, at) >>> bit) & ((1 << taken) - 1)) << read;
      read += taken;
      bit += taken;
      if (bit === 8) {
        bit = 0;
        at++;
      }
    }
    output[index] = value;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error("a page ends too early");
  return byte;
}
