import type { InferenceRequest } from '@sluice/inference';
import { type Compression, compressionOf, isCompressedFor } from '../../request/compression.ts';
import type { AttemptedEndpoint, AttemptResult, AttemptStage, ResponseStage } from '../stage.ts';
import { countItems, countRest } from './count-items.ts';
import { middleOut } from './middle-out.ts';

/** The share of a window that stays free for the answer if the request names no limit. */
const unaskedShare = 1 / 8;
/** The share of a window that the answer takes at most. */
const outputShareMax = 1 / 2;

/**
 * Shortens a conversation that does not fit the window of an endpoint (contract inference.md 21). Each attempt gets
 * what its own window holds.
 */
export function compressionStage(): ResponseStage<'attempt', AttemptStage> {
  return {
    at: 'attempt',
    name: 'context-compression',
    open(call) {
      const compression = compressionOf(call);
      return compression === 'off' ? undefined : { forAttempt: compressing(compression) };
    },
  };
}

function compressing(compression: Compression): AttemptStage['forAttempt'] {
  let counted: { readonly of: unknown; readonly counts: readonly number[] } | undefined;
  return (request, attempt) => {
    const window = windowOf(attempt);
    if (!isCompressedFor(compression, window) || isSmall(request, window)) return { request };
    const { outputModalities } = attempt.endpoint;
    if (!outputModalities.includes('text')) return { request };
    if (counted?.of !== request.items)
      counted = { of: request.items, counts: countItems(request.items) };
    return compressed(request, counted.counts, window);
  };
}

function compressed(
  request: InferenceRequest,
  counts: readonly number[],
  window: number,
): AttemptResult {
  const asked = request.maxOutputTokens ?? window * unaskedShare;
  const output = Math.ceil(Math.min(asked, window * outputShareMax));
  const { items } = request;
  const shortened = middleOut(items, counts, window - output - countRest(request));
  if (!shortened) return { request };
  const left = items.length - shortened.items.length;
  return {
    request: { ...request, items: shortened.items },
    report: {
      type: 'context_compression',
      name: 'context-compression',
      summary: `left out ${String(left)} of ${String(items.length)}`,
      data: {
        engine: 'middle-out',
        input_type: 'messages',
        original_count: items.length,
        compressed_count: shortened.items.length,
        original_tokens: counts.reduce((sum, count) => sum + count, 0),
        compressed_tokens: shortened.tokens,
        is_estimated: true,
      },
    },
  };
}

/** Returns the tokens of input and output that an endpoint takes. Infinity: it is not known. */
function windowOf({ model, endpoint }: AttemptedEndpoint): number {
  const context = endpoint.contextLength ?? model.contextLength ?? Infinity;
  return Math.min(context, endpoint.promptTokensMax ?? Infinity);
}

/** A text has no more tokens than bytes, so most requests need no count. */
function isSmall({ items, maxOutputTokens = 0 }: InferenceRequest, window: number): boolean {
  if (window === Infinity) return true;
  let characters = maxOutputTokens;
  for (const item of items) {
    if (item.type !== 'message') return false;
    for (const part of item.content) {
      if (part.type !== 'text') return false;
      characters += 3 * part.text.length;
      if (characters > window * (1 - unaskedShare)) return false;
    }
  }
  return true;
}
