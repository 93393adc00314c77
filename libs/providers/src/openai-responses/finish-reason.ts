import type { FinishReason } from '@sluice/inference';

/** Returns the canonical finish reason of a `completed` or `incomplete` response. */
export function responsesFinishReason(ended: {
  readonly status: 'completed' | 'incomplete';
  readonly incompleteReason: string | undefined;
  readonly hasToolCalls: boolean;
}): FinishReason {
  if (ended.status === 'completed') return ended.hasToolCalls ? 'tool-calls' : 'stop';
  return ended.incompleteReason === 'content_filter' ? 'content-filter' : 'length';
}
