import type { FinishReason } from '@sluice/inference';

/** Finish reasons of a generation that the server aborted. It counts as failed. */
const failures: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'insufficient_system_resource',
  'network_error',
]);

export function isFailedCompletion(reason: string | undefined): boolean {
  return reason !== undefined && failures.has(reason);
}

/** Maps `finish_reason` to a canonical reason. An unknown reason maps to `stop`. */
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
