import type { FinishReason } from '@sluice/inference';

/** Maps `stop_reason` to a canonical reason. */
export function messagesFinishReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'tool-calls';
    case 'refusal':
      return 'content-filter';
    default:
      return 'stop';
  }
}
