import type { UsageReport } from '../../request/usage-report.ts';
import {
  cacheWrittenTokens,
  completionCost,
  type CompletionCost,
  type ServerToolUse,
  serverToolUse,
} from '../answer/wire-cost.ts';

/** `usage` of a completion; money in USD. */
export interface ChatUsage extends CompletionCost {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly server_tool_use_details?: ServerToolUse | undefined;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens: number;
    readonly audio_tokens: number;
    readonly video_tokens: number;
  };
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number;
    readonly audio_tokens: number;
    readonly accepted_prediction_tokens: number;
    readonly rejected_prediction_tokens: number;
  };
}

export function chatUsage(report: UsageReport): ChatUsage {
  const { tokens } = report;
  return {
    prompt_tokens: tokens.inputTokens,
    completion_tokens: tokens.outputTokens,
    total_tokens: tokens.inputTokens + tokens.outputTokens,
    prompt_tokens_details: {
      cached_tokens: tokens.cachedTokens,
      cache_write_tokens: cacheWrittenTokens(report),
      audio_tokens: tokens.audioInputTokens ?? 0,
      // No provider reports these three in a form that has a price, so no book has them.
      video_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoningTokens,
      audio_tokens: tokens.audioOutputTokens ?? 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    ...completionCost(report),
    server_tool_use_details: serverToolUse(report),
  };
}
