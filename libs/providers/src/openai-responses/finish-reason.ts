import type { FinishReason } from '@sluice/inference';

/** Why a response that is `completed` or `incomplete` ended, in our words. */
export function responsesFinishReason(ended: {
  readonly status: 'completed' | 'incomplete';
  readonly incompleteReason: string | undefined;
  readonly hasToolCalls: boolean;
}): FinishReason {
  if (ended.status === 'completed') return ended.hasToolCalls ? 'tool-calls' : 'stop';
  return ended.incompleteReason === 'content_filter' ? 'content-filter' : 'length';
}
