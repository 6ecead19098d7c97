/**
 * Snappy and LZ4: bytes as they are, and repeats of earlier ones. Each step takes at least one byte of what is packed
 * and fills no more than was promised, so that both come to an end whatever the bytes are.
 *
 * Sources: google/snappy, format_description.txt; lz4/lz4, doc/lz4_Block_format.md.
 */

/** Unpacks Snappy to `size` bytes; throws when the bytes make others. */
export function unpackSnappy(packed: Uint8Array, size: number): Uint8Array {
  const input = new Input(packed);
  const output = new Output(size);
  if (input.varint() !== size) throw new Error("a page has another size than it says");
  while (!input.isOver()) {
    const tag = input.byte();
    const high = tag >> 2;
    switch (tag & 3) {
      case 0:
        output.literal(input.bytes((high < 60 ? high : input.number(high - 59)) + 1));
        break;
      case 1:
        output.repeat(((high >> 3) << 8) | input.byte(), (high & 7) + 4);
        break;
      case 2:
        output.repeat(input.number(2), high + 1);
        break;
      default:
        output.repeat(input.number(4), high + 1);
    }
  }
  return output.whole();
}

/** Unpacks one LZ4 block to `size` bytes; throws when the bytes make others. */
export function unpackLz4(packed: Uint8Array, size: number): Uint8Array {
  const input = new Input(packed);
  const output = new Output(size);
  while (!input.isOver()) {
    const token = input.byte();
    output.literal(input.bytes(input.extended(token >> 4)));
    if (input.isOver()) break;
    const distance = input.number(2);
    output.repeat(distance, input.extended(token & 15) + 4);
  }
  return output.whole();
}

class Input {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error("a packed page ends too early");
    return byte;
  }

  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error("a packed page ends too early");
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** Of so many bytes, the lowest first. */
  number(length: number): number {
    let value = 0;
    for (let index = 0; index < length; index++) value += this.byte() * 256 ** index;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  }

  /** A length of four bits, of which 15 goes on in the next bytes. */
  extended(length: number): number {
    let sum = length;
    for (let more = length === 15 ? 255 : 0; more === 255; sum += more) more = this.byte();
    return sum;
  }
}

class Output {
  readonly #bytes: Uint8Array;
  #filled = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  literal(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** Bytes from so far back; they may be repeated while they are written. */
  repeat(distance: number, length: number): void {
    this.#room(length);
    if (distance === 0 || distance > this.#filled) throw new Error("a packed page repeats what is not there");
    const [bytes, start] = [this.#bytes, this.#filled];
    if (distance >= length) bytes.copyWithin(start, start - distance, start - distance + length);
    else for (let at = start; at < start + length; at++) bytes[at] = bytes[at - distance] ?? 0;
    this.#filled += length;
  }

  whole(): Uint8Array {
    if (this.#filled < this.#bytes.length) throw new Error("a packed page ends too early");
    return this.#bytes;
  }

  #room(length: number): void {
    if (this.#filled + length > this.#bytes.length) throw new Error("a page is larger than it says");
  }
}
