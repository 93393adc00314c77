import { nanoUsdToNumber } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';

/** The cost of an answer, in USD, as every dialect reports it. */
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

/** The cost as chat completions and embeddings tell it, whose strict clients require two more names for its parts. */
export interface CompletionCost extends WireCost {
  readonly cost_details: WireCost['cost_details'] & {
    readonly upstream_inference_prompt_cost: number;
    readonly upstream_inference_completions_cost: number;
  };
}

export function completionCost(report: UsageReport): CompletionCost {
  const cost = wireCost(report);
  const {
    upstream_inference_input_cost: upstream_inference_prompt_cost,
    upstream_inference_output_cost: upstream_inference_completions_cost,
  } = cost.cost_details;
  return {
    ...cost,
    cost_details: {
      ...cost.cost_details,
      upstream_inference_prompt_cost,
      upstream_inference_completions_cost,
    },
  };
}

/** Returns the input tokens that were written to the provider's cache. */
export function cacheWrittenTokens({ tokens }: UsageReport): number {
  return (tokens.cacheWriteTokens ?? 0) + (tokens.cacheWriteHourTokens ?? 0);
}
