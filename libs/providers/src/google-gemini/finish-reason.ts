import type { FinishReason } from '@sluice/inference';

const filtered: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** `finishReason` in our words. */
export function geminiFinishReason(
  reason: string | undefined,
  { hasToolCalls }: { readonly hasToolCalls: boolean },
): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason !== undefined && filtered.has(reason)) return 'content-filter';
  return hasToolCalls ? 'tool-calls' : 'stop';
}
