import type { Prices } from './money.ts';

/** Prices on their way through JSON: by name, in atto-USD, in digits. */
export type PriceTexts = Readonly<Record<string, string>>;

const noPrices: Prices = {
  inputTokenAttoUsd: 0n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 0n,
  requestAttoUsd: 0n,
};
const digits = /^\d{1,36}$/;

/** Every price with its name. */
export function priceTexts(prices: Prices): PriceTexts {
  return Object.fromEntries(
    Object.entries(prices).flatMap(([name, atto]) =>
      typeof atto === 'bigint' ? [[name, String(atto)]] : [],
    ),
  );
}

/** The same prices again; a name that is missing costs nothing. undefined: some text is no price. */
export function pricesOfTexts(texts: PriceTexts): Prices | undefined {
  const entries = Object.entries(texts);
  if (!entries.every(([, text]) => digits.test(text))) return undefined;
  return {
    ...noPrices,
    ...Object.fromEntries(entries.map(([name, text]) => [name, BigInt(text)])),
  };
}
