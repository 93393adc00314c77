import type { PlainPrices, Prices, PriceTier } from './money.ts';

/** Prices on their way through JSON: by name, in atto-USD, in digits. */
export type PriceTexts = Readonly<Record<string, string>>;

const noPrices: PlainPrices = {
  inputTokenAttoUsd: 0n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 0n,
  requestAttoUsd: 0n,
};
const digits = /^\d{1,36}$/;
/** The price of a tier: `inputTokenAttoUsd.above.200000`. */
const tierName = /^([A-Za-z]+)\.above\.(\d{1,9})$/;

/** Caches the texts by prices, because each request asks for those of its endpoint. */
const known = new WeakMap<Prices, PriceTexts>();

/** Every price with its name, those of a tier too. */
export function priceTexts(prices: Prices): PriceTexts {
  const before = known.get(prices);
  if (before) return before;
  const texts = newTexts(prices);
  known.set(prices, texts);
  return texts;
}

function newTexts(prices: Prices): PriceTexts {
  const texts = textsOf(prices);
  for (const { aboveTokens, prices: its } of prices.tiers ?? [])
    for (const [name, atto] of Object.entries(textsOf(its)))
      texts[`${name}.above.${String(aboveTokens)}`] = atto;
  return texts;
}

function textsOf(prices: PlainPrices): Record<string, string> {
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
  const plain: Record<string, bigint> = {};
  const tiers = new Map<number, Record<string, bigint>>();
  for (const [name, text] of entries) {
    const [, ofTier, above] = tierName.exec(name) ?? [];
    if (ofTier === undefined) plain[name] = BigInt(text);
    else {
      const tier = tiers.get(Number(above)) ?? {};
      tiers.set(Number(above), { ...tier, [ofTier]: BigInt(text) });
    }
  }
  const prices = { ...noPrices, ...plain };
  return tiers.size === 0 ? prices : { ...prices, tiers: tiersOf(tiers, prices) };
}

function tiersOf(
  tiers: ReadonlyMap<number, Readonly<Record<string, bigint>>>,
  prices: PlainPrices,
): readonly PriceTier[] {
  return [...tiers]
    .toSorted(([a], [b]) => a - b)
    .map(([aboveTokens, its]) => ({ aboveTokens, prices: { ...prices, ...its } }));
}
