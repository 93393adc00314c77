import type { FinishReason } from '@sluice/inference';

const filtered: ReadonlySet<string> = new Set([
  'LANGUAGE',
  'MODEL_ARMOR',
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Finish reasons of unusable output. The next attempt may do better. */
const failures: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

export function isFailedGeneration(reason: string | undefined): boolean {
  return reason !== undefined && failures.has(reason);
}

/** Maps `finishReason` to a canonical reason. A blocked prompt always maps to `content-filter`. */
export function geminiFinishReason(
  reason: string | undefined,
  { hasToolCalls, isBlocked }: { readonly hasToolCalls: boolean; readonly isBlocked: boolean },
): FinishReason {
  if (isBlocked) return 'content-filter';
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason !== undefined && filtered.has(reason)) return 'content-filter';
  return hasToolCalls ? 'tool-calls' : 'stop';
}
