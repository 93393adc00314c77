import type { TokenUsage } from '@sluice/inference';
import type { UsageReport } from '../../request/usage-report.ts';
import { type ServerToolUse, serverToolUse, wireCost, type WireCost } from '../answer/wire-cost.ts';

/** Token counts of a message. The input is reported without tokens that were read from a cache or written to one. */
export interface MessageTokens {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number };
  readonly server_tool_use: { readonly web_search_requests: number } | null;
}

export interface MessageUsage extends MessageTokens, WireCost {
  readonly server_tool_use_details?: ServerToolUse | undefined;
  readonly service_tier: string;
}

export function messageTokens(tokens: TokenUsage): MessageTokens {
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = tokens;
  const writtenTokens = cacheWriteTokens + cacheWriteHourTokens;
  return {
    input_tokens: inputTokens - cachedTokens - writtenTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: writtenTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens,
      ephemeral_1h_input_tokens: cacheWriteHourTokens,
    },
    output_tokens: tokens.outputTokens,
    output_tokens_details: { thinking_tokens: tokens.reasoningTokens },
    server_tool_use: null,
  };
}

/** The counts of an answer without any. */
export const noTokens: TokenUsage = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** `usage` of a message; money in USD. */
export function messageUsage(report: UsageReport, tier: string | undefined): MessageUsage {
  const webSearches = report.tools?.webSearches ?? 0;
  const isStandard = tier === undefined || tier === 'default';
  return {
    ...messageTokens(report.tokens),
    server_tool_use: webSearches > 0 ? { web_search_requests: webSearches } : null,
    ...wireCost(report),
    server_tool_use_details: serverToolUse(report),
    service_tier: isStandard ? 'standard' : tier,
  };
}
