import type { TokenUsage } from '@sluice/inference';

interface ReportedCounts {
  readonly inputTokens: unknown;
  readonly cachedTokens: unknown;
  readonly outputTokens: unknown;
  readonly reasoningTokens: unknown;
}

/**
 * The counts that an upstream reports, or undefined when they cannot be true: not whole, negative,
 * more cached than input, more reasoning than output. Money follows from them, so nothing is mended.
 */
export function checkedUsage(reported: ReportedCounts): TokenUsage | undefined {
  const { inputTokens, outputTokens } = reported;
  const cachedTokens = reported.cachedTokens ?? 0;
  const reasoningTokens = reported.reasoningTokens ?? 0;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  if (!isCount(cachedTokens) || cachedTokens > inputTokens) return undefined;
  if (!isCount(reasoningTokens) || reasoningTokens > outputTokens) return undefined;
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
