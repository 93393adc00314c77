import type { UsageReport } from '../../../request/usage-report.ts';
import {
  cacheWrittenTokens,
  type ServerToolUse,
  serverToolUse,
  wireCost,
  type WireCost,
} from '../../answer/wire-cost.ts';

/** `usage` of a response; money in USD. */
export interface WireUsage extends WireCost {
  readonly input_tokens: number;
  readonly input_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens?: number | undefined;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
  readonly server_tool_use_details?: ServerToolUse | undefined;
}

export function wireUsage(report: UsageReport): WireUsage {
  const { tokens } = report;
  const writtenTokens = cacheWrittenTokens(report);
  return {
    input_tokens: tokens.inputTokens,
    input_tokens_details: {
      cached_tokens: tokens.cachedTokens,
      cache_write_tokens: writtenTokens > 0 ? writtenTokens : undefined,
    },
    output_tokens: tokens.outputTokens,
    output_tokens_details: { reasoning_tokens: tokens.reasoningTokens },
    total_tokens: tokens.inputTokens + tokens.outputTokens,
    ...wireCost(report),
    server_tool_use_details: serverToolUse(report),
  };
}
