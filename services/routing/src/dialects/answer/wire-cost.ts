import { nanoUsdToNumber } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';

/** The cost of an answer, in USD, as every dialect tells it. */
export interface WireCost {
  readonly cost: number;
  readonly cost_details: {
    readonly upstream_inference_cost?: number | undefined;
    readonly upstream_inference_input_cost: number;
    readonly upstream_inference_output_cost: number;
  };
  readonly is_byok: boolean;
}

export function wireCost(report: UsageReport): WireCost {
  return {
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

/** Returns the input tokens that were written to the provider's cache. */
export function cacheWrittenTokens({ tokens }: UsageReport): number {
  return (tokens.cacheWriteTokens ?? 0) + (tokens.cacheWriteHourTokens ?? 0);
}
