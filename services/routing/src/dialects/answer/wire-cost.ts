import { nanoUsdToNumber } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';

/** The cost of an answer, in USD, as every dialect reports it. */
export interface WireCost {
  readonly cost: number;
  readonly cost_details: {
    readonly upstream_inference_cost?: number | undefined;
    readonly upstream_inference_input_cost: number;
    readonly upstream_inference_output_cost: number;
    /** Absent: no server tool with a price was called. */
    readonly server_tool_cost?: number | undefined;
  };
  readonly is_byok: boolean;
}

/** The calls of server tools. A web search of the service is in the first and the third. */
export interface ServerToolUse {
  readonly tool_calls_requested: number;
  readonly tool_calls_executed: number;
  readonly web_search_requests: number;
}

/** Returns undefined if the model called no server tool. */
export function serverToolUse({ tools }: UsageReport): ServerToolUse | undefined {
  return (
    tools && {
      tool_calls_requested: tools.requested,
      tool_calls_executed: tools.executed,
      web_search_requests: tools.webSearches,
    }
  );
}

export function wireCost(report: UsageReport): WireCost {
  const toolCost = report.tools?.costNanoUsd;
  return {
    cost: nanoUsdToNumber(report.costNanoUsd),
    cost_details: {
      upstream_inference_cost:
        report.listNanoUsd === undefined ? undefined : nanoUsdToNumber(report.listNanoUsd),
      upstream_inference_input_cost: nanoUsdToNumber(report.inputCostNanoUsd),
      upstream_inference_output_cost: nanoUsdToNumber(report.outputCostNanoUsd),
      server_tool_cost: toolCost === undefined ? undefined : nanoUsdToNumber(toolCost),
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
