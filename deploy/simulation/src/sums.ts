import { prices } from './catalog.ts';
import type { ProviderCall } from './provider.ts';

/** Amounts by name. The arithmetic of the auditor, shared with nothing that it judges. */
export type Sums = Map<string, bigint>;

/** Returns the amount that the provider charges. */
export function costOf({ inputTokens, cachedTokens, servedTokens, search }: ProviderCall): bigint {
  if (search) return search.costNanoUsd;
  const { inputNanoUsd, cachedNanoUsd, outputNanoUsd } = prices;
  const input = BigInt(inputTokens - cachedTokens) * inputNanoUsd;
  return input + BigInt(cachedTokens) * cachedNanoUsd + BigInt(servedTokens) * outputNanoUsd;
}

/** 5 %. */
export const feeBasisPoints = 500;

/** The fee on what is not free, rounded up. */
export function feeOf(nanoUsd: bigint): bigint {
  return nanoUsd <= 0n ? 0n : (nanoUsd * BigInt(feeBasisPoints) + 9_999n) / 10_000n;
}

/** Returns the most that the provider may charge. */
export function worstOf({ inputTokens, outputTokensMax, search }: ProviderCall): bigint {
  if (search) return search.worstNanoUsd;
  const input = BigInt(inputTokens) * prices.inputNanoUsd;
  return input + BigInt(outputTokensMax) * prices.outputNanoUsd;
}

/** Names the window of an instant: a day, the Monday of a week, a month; nothing for a lifetime. */
export function periodOf(kind: string, instant: string): string {
  if (kind === 'daily') return instant.slice(0, 'YYYY-MM-DD'.length);
  if (kind === 'monthly') return instant.slice(0, 'YYYY-MM'.length);
  if (kind === 'lifetime') return '';
  const monday = new Date(instant);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Returns the name of a budget in an instant: its kind, its scope and its window. */
export function budgetNameOf(
  budget: { readonly scopeKind: string; readonly scopeId: string; readonly windowKind: string },
  instant: string,
): string {
  const { scopeKind, scopeId, windowKind } = budget;
  return [scopeKind, scopeId, windowKind, periodOf(windowKind, instant)].join('/');
}

export const greater = (a: bigint, b: bigint) => (a > b ? a : b);
export const lesser = (a: bigint, b: bigint) => (a < b ? a : b);
export const add = (sums: Sums, name: string, amount: bigint) =>
  sums.set(name, (sums.get(name) ?? 0n) + amount);
