import { nanoUsdToNumber } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';

/** `usage` of a response; money in USD. */
export interface WireUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens?: number | undefined;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
  readonly cost: number;
  readonly cost_details: {
    readonly upstream_inference_cost?: number | undefined;
    readonly upstream_inference_input_cost: number;
    readonly upstream_inference_output_cost: number;
  };
  readonly is_byok: boolean;
}

export function wireUsage(report: UsageReport): WireUsage {
  const { tokens } = report;
  const { cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = tokens;
  const writtenTokens = cacheWriteTokens + cacheWriteHourTokens;
  return {
    input_tokens: tokens.inputTokens,
    input_tokens_details: {
      cached_tokens: tokens.cachedTokens,
      cache_write_tokens: writtenTokens > 0 ? writtenTokens : undefined,
    },
    output_tokens: tokens.outputTokens,
    output_tokens_details: { reasoning_tokens: tokens.reasoningTokens },
    total_tokens: tokens.inputTokens + tokens.outputTokens,
    cost: nanoUsdToNumber(report.costNanoUsd),
    cost_details: {
      upstream_inference_cost:
        report.listNanoUsd === undefined ? undefined : nanoUsdToNumber(report.listNanoUsd),
      upstream_inference_input_cost: nanoUsdToNumber(report.inputCostNanoUsd),
      upstream_inference_output_cost: nanoUsdToNumber(report.outputCostNanoUsd),
    },
    is_byok: report.isByok,
  };
}
