import type { FinishReason } from '@sluice/inference';

/** Words for a generation that the server itself gave up: nothing to be told as an answer. */
const failures: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'insufficient_system_resource',
  'network_error',
]);

export function isFailedCompletion(reason: string | undefined): boolean {
  return reason !== undefined && failures.has(reason);
}

/** `finish_reason` in our words. A word we do not know ended the generation all the same. */
export function chatFinishReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case 'length':
    case 'model_length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
    case 'sensitive':
      return 'content-filter';
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    default:
      return 'stop';
  }
}
