import type { TokenUsage } from './usage.ts';

/** Prices of one endpoint in atto-USD (10⁻¹⁸): exact for any decimal price with ≤ 18 places. */
export interface Prices {
  readonly inputTokenAttoUsd: bigint;
  readonly cachedTokenAttoUsd: bigint;
  readonly outputTokenAttoUsd: bigint;
  readonly requestAttoUsd: bigint;
}

const attoPerNano = 1_000_000_000n;
const decimalPattern = /^(\d{1,9})(?:\.(\d{1,18}))?$/;

/** "0.00000015" USD → atto-USD, or undefined when it is no plain non-negative decimal. */
export function parsePriceAttoUsd(decimal: string): bigint | undefined {
  const match = decimalPattern.exec(decimal);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** What a usage costs, in nano-USD: summed exactly, rounded half up once. */
export function costNanoUsd(usage: TokenUsage, prices: Prices): bigint {
  return (costAttoUsd(usage, prices) + attoPerNano / 2n) / attoPerNano;
}

/** An upper bound of what up to these tokens can cost, in nano-USD: rounded up. */
export function holdNanoUsd(
  inputTokensMax: number,
  outputTokensMax: number,
  prices: Prices,
): bigint {
  const input =
    prices.inputTokenAttoUsd > prices.cachedTokenAttoUsd
      ? prices.inputTokenAttoUsd
      : prices.cachedTokenAttoUsd;
  const atto =
    BigInt(inputTokensMax) * input +
    BigInt(outputTokensMax) * prices.outputTokenAttoUsd +
    prices.requestAttoUsd;
  return (atto + attoPerNano - 1n) / attoPerNano;
}

function costAttoUsd(usage: TokenUsage, prices: Prices): bigint {
  return (
    BigInt(usage.inputTokens - usage.cachedTokens) * prices.inputTokenAttoUsd +
    BigInt(usage.cachedTokens) * prices.cachedTokenAttoUsd +
    BigInt(usage.outputTokens) * prices.outputTokenAttoUsd +
    prices.requestAttoUsd
  );
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
