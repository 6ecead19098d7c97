/** Numbers as text, each with exactly the digits that it has, as DuckDB writes them. */

import { keepsDigits } from "../run/json/json.ts";

/** A double by its shortest text: 0.1, 2.0, 1e+16, nan. */
export function doubleText(value: number): string {
  return pointed(value, value.toExponential());
}

/** A number that was stored in 32 bits (or fewer) by its shortest text: 1.1, not 1.100000023841858. */
export function floatText(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return pointed(value, text);
  }
  return pointed(value, value.toExponential());
}

/** An integer with its last `scale` digits after a decimal point. */
export function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return unscaled < 0n ? `-${text}` : text;
}

/** The bits of a two's complement number, the highest first. */
export function signedInteger(bytes: Uint8Array): bigint {
  if (bytes.length > 128) throw new Error(`a number of ${bytes.length} bytes`);
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, value);
}

/** Half precision, IEEE 754, lowest byte first. */
export function float16(bytes: Uint8Array): number {
  const [low = 0, high = 0] = bytes;
  const exponent = (high >> 2) & 31;
  const fraction = ((high & 3) << 8) | low;
  const sign = high & 128 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Whether the number that a JSON reader makes of this text has all its digits. */
export function survivesJson(text: string): boolean {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return false;
  return keepsDigits(text) || doubleText(Number(text)) === text;
}

/** Of a number's shortest digits, as in 1.5e+3, its text: with an exponent only below 0.0001 and from 1e16 on. */
function pointed(value: number, exponential: string): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", power = ""] = exponential
    .replace("-", (minus, at) => (at === 0 ? "" : minus))
    .split("e");
  const exponent = Number(power);
  const digits = mantissa.replace(".", "").replace(/0+$/, "").padEnd(1, "0");
  if (exponent < -4 || exponent >= 16) {
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits.charAt(0)}${rest}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}
