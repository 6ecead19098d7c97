/** Dates and times as text, of any year that a file can give, with all digits that it has. */

/** How many parts a second has. */
export type Unit = "MILLIS" | "MICROS" | "NANOS";

const digitsOf: Readonly<Record<Unit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };
const perDay = 86_400n;
const endless = 2n ** 63n - 1n;

/** Days since 1970 as 2026-11-22, 10000-01-01 or 0044-03-15 (BC); DuckDB writes two of them for dates without end. */
export function dateText(days: number): string {
  if (Math.abs(days) === 2 ** 31 - 1) return days > 0 ? "infinity" : "-infinity";
  const { date, era } = calendar(days);
  return date + era;
}

/** A time since 1970 as ISO 8601, with Z when it is in UTC. */
export function timestampText(value: bigint, unit: Unit, utc: boolean): string {
  if (value === endless || value === -endless) return value > 0n ? "infinity" : "-infinity";
  const second = 10n ** BigInt(digitsOf[unit]);
  const ofDay = modulo(value, perDay * second);
  const { date, era } = calendar(Number((value - ofDay) / (perDay * second)));
  return `${date}T${clock(ofDay, unit)}${utc ? "Z" : ""}${era}`;
}

/** A time of day, with Z when it is in UTC; one that no day has is shown as its number. */
export function timeText(value: bigint, unit: Unit, utc: boolean): string {
  const day = perDay * 10n ** BigInt(digitsOf[unit]);
  if (value < 0n || value > day) return String(value);
  return `${clock(value, unit)}${utc ? "Z" : ""}`;
}

/** Months, days and milliseconds, four bytes each, as DuckDB writes them: 1 year 2 months 3 days 04:05:06.7. */
export function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [months, days, milliseconds] = [0, 4, 8].map((at) => view.getUint32(at, true));
  const parts = [
    [Math.floor((months ?? 0) / 12), "year"],
    [(months ?? 0) % 12, "month"],
    [days ?? 0, "day"],
  ] as const;
  const words = parts.flatMap(([count, word]) =>
    count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`],
  );
  const [time = "", fraction = ""] = clock(BigInt(milliseconds ?? 0), "MILLIS").split(".");
  const shortened = fraction.replace(/0+$/, "");
  if (milliseconds !== 0 || words.length === 0) words.push(shortened === "" ? time : `${time}.${shortened}`);
  return words.join(" ");
}

/** Milliseconds of an interval for comparing: a month has 30 days, as DuckDB compares them. */
export function intervalLength(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const days = 30 * view.getUint32(0, true) + view.getUint32(4, true);
  return days * Number(perDay) * 1000 + view.getUint32(8, true);
}

/** Days since the Julian epoch in the upper 4 of 12 bytes, nanoseconds of the day below: nanoseconds since 1970. */
export function int96Nanoseconds(value: bigint): bigint {
  const days = (value >> 64n) - 2_440_588n;
  return days * perDay * 1_000_000_000n + BigInt.asUintN(64, value);
}

function clock(value: bigint, unit: Unit): string {
  const digits = digitsOf[unit];
  const second = 10n ** BigInt(digits);
  const seconds = Number(value / second);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const time = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${time}.${String(value % second).padStart(digits, "0")}`;
}

/**
 * The Gregorian calendar for any day.
 *
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
 */
function calendar(days: number): { readonly date: string; readonly era: "" | " (BC)" } {
  const fromMarch = days + 719_468;
  const era = Math.floor(fromMarch / 146_097);
  const dayOfEra = fromMarch - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const [shown, suffix] = year > 0 ? [year, "" as const] : [1 - year, " (BC)" as const];
  const two = (part: number): string => String(part).padStart(2, "0");
  return { date: `${String(shown).padStart(4, "0")}-${two(month)}-${two(day)}`, era: suffix };
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}
