/** What model calls took of tokens and money, as far as servers and the user's own prices tell. */

import type { Prices } from "../panel/messages.ts";
import type { MessageEntry, Usage } from "../panel/transcript.ts";

/** Sums over model calls. What was not reported is counted as such, never as nothing. */
export interface Spent {
  /** How many models were called. */
  readonly calls: number;
  /** Of how many the tokens are known; `usage` is their sum. */
  readonly reported: number;
  readonly usage: Usage;
  /** Of how many the price is known; `cost` is their sum, in the currency of the prices. */
  readonly priced: number;
  readonly cost: number;
}

export const nothingSpent: Spent = {
  ...{ calls: 0, reported: 0, priced: 0, cost: 0 },
  usage: { input: 0, output: 0, total: 0 },
};

/** What a message took: nothing unless a model said it. */
export function spentOn({ role, usage, model }: MessageEntry, prices: Prices): Spent {
  if (role !== "ai") return nothingSpent;
  if (usage === undefined) return { ...nothingSpent, calls: 1 };
  const price = model === undefined ? undefined : priceOf(model, prices);
  if (price === undefined) return { ...nothingSpent, calls: 1, reported: 1, usage };
  const cost = (usage.input * price.input + usage.output * price.output) / 1_000_000;
  return { calls: 1, reported: 1, usage, priced: 1, cost };
}

export function sumSpent(all: Iterable<Spent>): Spent {
  let [calls, reported, priced, cost] = [0, 0, 0, 0];
  let [input, output, total] = [0, 0, 0];
  for (const one of all) {
    calls += one.calls;
    reported += one.reported;
    priced += one.priced;
    cost += one.cost;
    input += one.usage.input;
    output += one.usage.output;
    total += one.usage.total;
  }
  return { calls, reported, usage: { input, output, total }, priced, cost };
}

/** The prices in what a person wrote into the settings; what is none is left out. */
export function pricesIn(value: unknown): Prices {
  const written = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const isPrice = (price: unknown): price is number =>
    typeof price === "number" && Number.isFinite(price) && price >= 0;
  return Object.fromEntries(
    written.flatMap(([model, price]: [string, unknown]) => {
      const { input, output } = Object(price) as Readonly<Record<string, unknown>>;
      return isPrice(input) && isPrice(output) ? [[model, { input, output }]] : [];
    }),
  );
}

/** By the model's whole name, else by the longest beginning of it that the table has, written with a "*" at its end. */
function priceOf(model: string, prices: Prices): Prices[string] | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const beginnings = Object.keys(prices).filter(
    (name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)),
  );
  const longest = beginnings.reduce((best, name) => (name.length > best.length ? name : best), "");
  return longest === "" ? undefined : prices[longest];
}
