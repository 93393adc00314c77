import type { SpecialCounts, StreamPart, TokenUsage } from '@sluice/inference';

interface ReportedCounts extends Readonly<Partial<Record<keyof SpecialCounts, unknown>>> {
  readonly inputTokens: unknown;
  readonly cachedTokens: unknown;
  readonly outputTokens: unknown;
  readonly reasoningTokens: unknown;
}

const specialInput = [
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'imageInputTokens',
  'audioInputTokens',
  'cachedAudioTokens',
] as const;
const specialOutput = ['imageOutputTokens', 'audioOutputTokens'] as const;

/**
 * Returns the counts that an upstream reports, or undefined if they are implausible: fractions, negative numbers, or
 * parts above their sum. Billing uses the counts, so they are never corrected.
 */
export function checkedUsage(reported: ReportedCounts): TokenUsage | undefined {
  const { inputTokens, outputTokens } = reported;
  const cachedTokens = reported.cachedTokens ?? 0;
  const reasoningTokens = reported.reasoningTokens ?? 0;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  if (!isCount(cachedTokens) || !isCount(reasoningTokens)) return undefined;
  const input = specialCounts(reported, specialInput);
  const output = specialCounts(reported, specialOutput);
  if (!input || cachedTokens + input.sum > inputTokens) return undefined;
  if (!output || reasoningTokens + output.sum > outputTokens) return undefined;
  const webSearches = reported.webSearches ?? 0;
  if (!isCount(webSearches)) return undefined;
  const counts = {
    inputTokens,
    cachedTokens,
    outputTokens,
    reasoningTokens,
    ...(webSearches > 0 && { webSearches }),
  };
  const isPlain = input.sum + output.sum === 0;
  return isPlain ? counts : { ...counts, ...input.counts, ...output.counts };
}

/** Returns the sum of counts, or undefined if a value is not a count. */
export function summed(...counts: readonly unknown[]): unknown {
  let sum = 0;
  for (const count of counts) {
    if (!isCount(count)) return undefined;
    sum += count;
  }
  return sum;
}

/** Subtracts a part from a count. Returns the value unchanged if it or the part is not a number. */
export function without(all: unknown, part: unknown): unknown {
  return typeof all === 'number' && typeof part === 'number' ? all - part : all;
}

const rawCharactersMax = 4_096;

const allRead: readonly never[] = [];

/** Returns a reported usage that could not be read. Returns nothing if it was read or absent. */
export function unreadUsage(
  reported: unknown,
  usage: TokenUsage | undefined,
): readonly Extract<StreamPart, { type: 'unread-usage' }>[] {
  if (usage || reported === undefined || reported === null) return allRead;
  return [{ type: 'unread-usage', raw: JSON.stringify(reported).slice(0, rawCharactersMax) }];
}

interface Special {
  readonly sum: number;
  /** The counts above 0. */
  readonly counts: SpecialCounts;
}

const noSpecial: Special = { sum: 0, counts: {} };

function specialCounts(
  reported: ReportedCounts,
  names: readonly (keyof SpecialCounts)[],
): Special | undefined {
  let sum = 0;
  let counts: SpecialCounts | undefined;
  for (const name of names) {
    const count = reported[name] ?? 0;
    if (!isCount(count)) return undefined;
    sum += count;
    if (count > 0) counts = { ...counts, [name]: count };
  }
  return counts ? { sum, counts } : noSpecial;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
