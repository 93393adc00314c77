import type { FinishReason } from '@sluice/inference';

/** `finish_reason` in our words. A word we do not know ended the generation all the same. */
export function chatFinishReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case 'length':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    default:
      return 'stop';
  }
}
