import type { SpecialCounts, TokenUsage } from './usage.ts';

/**
 * Prices of one endpoint in atto-USD (10⁻¹⁸): exact for any decimal price with ≤ 18 places. Where a special
 * kind of token has no price, it costs what the plain ones do (for an hour in the cache: what a usual write does;
 * cached audio: what cached text does).
 */
export interface PlainPrices {
  readonly inputTokenAttoUsd: bigint;
  readonly cachedTokenAttoUsd: bigint;
  readonly outputTokenAttoUsd: bigint;
  readonly requestAttoUsd: bigint;
  readonly cacheWriteTokenAttoUsd?: bigint;
  readonly cacheWriteHourTokenAttoUsd?: bigint;
  readonly imageInputTokenAttoUsd?: bigint;
  readonly audioInputTokenAttoUsd?: bigint;
  readonly cachedAudioTokenAttoUsd?: bigint;
  readonly reasoningTokenAttoUsd?: bigint;
  readonly imageOutputTokenAttoUsd?: bigint;
  readonly audioOutputTokenAttoUsd?: bigint;
  /** The price of a picture of the input, beside its tokens. Absent: 0. */
  readonly imageAttoUsd?: bigint;
  /** The price of a search unit, beside the tokens. Absent: 0. */
  readonly searchUnitAttoUsd?: bigint;
  /** The price of a search of the web that the provider makes. Absent: 0. */
  readonly webSearchAttoUsd?: bigint;
}

/** The prices of an endpoint, which may be others for a long prompt. */
export interface Prices extends PlainPrices {
  /** From the lowest bound on, each bound once; absent: a prompt of any length costs the same. */
  readonly tiers?: readonly PriceTier[];
}

/** The prices of a whole request whose input has more tokens than the bound, and no more than the next one. */
export interface PriceTier {
  readonly aboveTokens: number;
  /** All of them, also those that are as they were below. */
  readonly prices: PlainPrices;
}

/** The prices of a request with so many tokens of input. */
export function pricesFor(prices: Prices, inputTokens: number): PlainPrices {
  return prices.tiers?.findLast(({ aboveTokens }) => inputTokens > aboveTokens)?.prices ?? prices;
}

/** The input or the output: what is plain of it, and its special kinds of tokens. */
interface Side {
  readonly all: 'inputTokens' | 'outputTokens';
  readonly plain: 'inputTokenAttoUsd' | 'outputTokenAttoUsd';
  /** The count, its price, and the price in the place of one that is absent. */
  readonly special: readonly (readonly [keyof TokenUsage, keyof PlainPrices, keyof PlainPrices])[];
}

const input: Side = {
  all: 'inputTokens',
  plain: 'inputTokenAttoUsd',
  special: [
    ['cachedTokens', 'cachedTokenAttoUsd', 'inputTokenAttoUsd'],
    ['cacheWriteTokens', 'cacheWriteTokenAttoUsd', 'inputTokenAttoUsd'],
    ['cacheWriteHourTokens', 'cacheWriteHourTokenAttoUsd', 'cacheWriteTokenAttoUsd'],
    ['imageInputTokens', 'imageInputTokenAttoUsd', 'inputTokenAttoUsd'],
    ['audioInputTokens', 'audioInputTokenAttoUsd', 'inputTokenAttoUsd'],
    ['cachedAudioTokens', 'cachedAudioTokenAttoUsd', 'cachedTokenAttoUsd'],
  ],
};
const output: Side = {
  all: 'outputTokens',
  plain: 'outputTokenAttoUsd',
  special: [
    ['reasoningTokens', 'reasoningTokenAttoUsd', 'outputTokenAttoUsd'],
    ['imageOutputTokens', 'imageOutputTokenAttoUsd', 'outputTokenAttoUsd'],
    ['audioOutputTokens', 'audioOutputTokenAttoUsd', 'outputTokenAttoUsd'],
  ],
};

const attoPerNano = 1_000_000_000n;

const decimalPattern = /^(\d{1,9})(?:\.(\d{1,18}))?$/;

/** "0.00000015" USD → atto-USD, or undefined when it is no plain non-negative decimal. */
export function parsePriceAttoUsd(decimal: string): bigint | undefined {
  const match = decimalPattern.exec(decimal);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** Returns the cost of a usage in nano-USD: summed exactly, rounded half up once. */
export function costNanoUsd(usage: TokenUsage, prices: Prices): bigint {
  const its = pricesFor(prices, usage.inputTokens);
  const atto = inputAttoUsd(usage, its) + sideAttoUsd(output, usage, its);
  return rounded(atto + searchesAttoUsd(usage, its) + its.requestAttoUsd);
}

/** Returns the part of a cost that belongs to searches of the provider, rounded on its own. */
export function searchCostNanoUsd(usage: TokenUsage, prices: Prices): bigint {
  return rounded(searchesAttoUsd(usage, pricesFor(prices, usage.inputTokens)));
}

function searchesAttoUsd(
  { webSearches = 0 }: Pick<SpecialCounts, 'webSearches'>,
  { webSearchAttoUsd = 0n }: PlainPrices,
): bigint {
  return webSearches === 0 ? 0n : BigInt(webSearches) * webSearchAttoUsd;
}

/**
 * Returns the parts of a cost that belong to the input and to the output, each rounded on its own: to show, not to add
 * up.
 */
export function costSharesNanoUsd(
  usage: TokenUsage,
  prices: Prices,
): { readonly inputNanoUsd: bigint; readonly outputNanoUsd: bigint } {
  const its = pricesFor(prices, usage.inputTokens);
  return {
    inputNanoUsd: rounded(inputAttoUsd(usage, its)),
    outputNanoUsd: rounded(sideAttoUsd(output, usage, its)),
  };
}

/** The most that a request may use. */
export interface UsageBounds {
  readonly inputTokensMax: number;
  readonly outputTokensMax: number;
  /** Pictures of the input; absent: none. */
  readonly imagesMax?: number;
  /** Search units of a reranker; absent: none. */
  readonly searchUnitsMax?: number;
  /** Searches of the provider; absent: none. */
  readonly webSearchesMax?: number;
}

/**
 * An upper bound of what any usage within the bounds can cost, in nano-USD: as if every token were of the
 * dearest kind, at the dearest prices that an input within the bounds can have, rounded up.
 */
export function holdNanoUsd(bounds: UsageBounds, prices: Prices): bigint {
  let hold = plainHoldNanoUsd(bounds, prices);
  for (const { aboveTokens, prices: its } of prices.tiers ?? []) {
    if (aboveTokens >= bounds.inputTokensMax) break;
    const higher = plainHoldNanoUsd(bounds, its);
    if (higher > hold) hold = higher;
  }
  return hold;
}

function plainHoldNanoUsd(bounds: UsageBounds, prices: PlainPrices): bigint {
  const outputAttoUsd = BigInt(bounds.outputTokensMax) * dearestAttoUsd(output, prices);
  return (boundAttoUsd(bounds, prices) + outputAttoUsd + attoPerNano - 1n) / attoPerNano;
}

/**
 * The most output tokens that an amount holds beside the rest of the bounds. undefined: any number; -1: it
 * does not even hold the rest.
 */
export function affordableOutputTokens(
  bounds: Omit<UsageBounds, 'outputTokensMax'>,
  prices: Prices,
  amountNanoUsd: bigint,
): bigint | undefined {
  let affordable = plainlyAffordable(bounds, prices, amountNanoUsd);
  for (const { aboveTokens, prices: its } of prices.tiers ?? []) {
    if (aboveTokens >= bounds.inputTokensMax) break;
    const fewer = plainlyAffordable(bounds, its, amountNanoUsd);
    if (fewer !== undefined && (affordable === undefined || fewer < affordable)) affordable = fewer;
  }
  return affordable;
}

function plainlyAffordable(
  bounds: Omit<UsageBounds, 'outputTokensMax'>,
  prices: PlainPrices,
  amountNanoUsd: bigint,
): bigint | undefined {
  const left = amountNanoUsd * attoPerNano - boundAttoUsd(bounds, prices);
  if (left < 0n) return -1n;
  const price = dearestAttoUsd(output, prices);
  return price === 0n ? undefined : left / price;
}

/** Returns the bound of everything but the output. */
function boundAttoUsd(
  {
    inputTokensMax,
    imagesMax = 0,
    searchUnitsMax = 0,
    webSearchesMax = 0,
  }: Omit<UsageBounds, 'outputTokensMax'>,
  prices: PlainPrices,
): bigint {
  const counted = countedAttoUsd({ images: imagesMax, searchUnits: searchUnitsMax }, prices);
  const searches = searchesAttoUsd({ webSearches: webSearchesMax }, prices);
  const inputAtto = BigInt(inputTokensMax) * dearestAttoUsd(input, prices);
  return inputAtto + counted + searches + prices.requestAttoUsd;
}

function inputAttoUsd(usage: TokenUsage, prices: PlainPrices): bigint {
  return sideAttoUsd(input, usage, prices) + countedAttoUsd(usage, prices);
}

/** Returns the price of what is counted beside the tokens of the input. */
function countedAttoUsd(
  { images = 0, searchUnits = 0 }: Pick<SpecialCounts, 'images' | 'searchUnits'>,
  { imageAttoUsd = 0n, searchUnitAttoUsd = 0n }: PlainPrices,
): bigint {
  if (images === 0 && searchUnits === 0) return 0n;
  return BigInt(images) * imageAttoUsd + BigInt(searchUnits) * searchUnitAttoUsd;
}

function sideAttoUsd(side: Side, usage: TokenUsage, prices: PlainPrices): bigint {
  let plainTokens = usage[side.all];
  let atto = 0n;
  for (const special of side.special) {
    const tokens = usage[special[0]] ?? 0;
    if (tokens === 0) continue;
    plainTokens -= tokens;
    atto += BigInt(tokens) * priceOf(special, side, prices);
  }
  return atto + BigInt(plainTokens) * prices[side.plain];
}

/** Prices are those of the catalog: a few, asked for with every request. */
const dearest = {
  inputTokens: new WeakMap<PlainPrices, bigint>(),
  outputTokens: new WeakMap<PlainPrices, bigint>(),
};

function dearestAttoUsd(side: Side, prices: PlainPrices): bigint {
  const known = dearest[side.all].get(prices);
  if (known !== undefined) return known;
  const highest = highestAttoUsd(side, prices);
  dearest[side.all].set(prices, highest);
  return highest;
}

function highestAttoUsd(side: Side, prices: PlainPrices): bigint {
  let highest = prices[side.plain];
  for (const special of side.special) {
    const price = priceOf(special, side, prices);
    if (price > highest) highest = price;
  }
  return highest;
}

function priceOf(
  [, own, instead]: Side['special'][number],
  { plain }: Side,
  prices: PlainPrices,
): bigint {
  return prices[own] ?? prices[instead] ?? prices[plain];
}

const halfNano = attoPerNano / 2n;

function rounded(attoUsd: bigint): bigint {
  return (attoUsd + halfNano) / attoPerNano;
}

/** `0.25`: the exact amount in USD, without zeros at its end. Not negative. */
export function nanoUsdToDecimal(nanoUsd: bigint): string {
  const digits = String(nanoUsd).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

/** For JSON at the edge only: exact to the nano-USD below 9 million USD. */
export function nanoUsdToNumber(nanoUsd: bigint): number {
  return Number(nanoUsd) / 1e9;
}
