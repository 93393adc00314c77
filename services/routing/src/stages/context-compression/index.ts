import type { InferenceRequest } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type { WorkerPool } from '@sluice/worker-pool';
import type { CanonicalCall } from '../../request/call.ts';
import { type Compression, compressionOf, isCompressedFor } from '../../request/compression.ts';
import { settingsOf } from '../../request/plugins.ts';
import type {
  AttemptContext,
  AttemptedEndpoint,
  AttemptResult,
  AttemptStage,
  ResponseStage,
} from '../stage.ts';
import { countItems, countRest, textTokens } from './count-items.ts';
import { encodingOf } from './encodings.ts';
import { middleOut } from './middle-out.ts';
import { type PreparedTexts, prepareTexts, shrinkOutputs } from './prepare.ts';

export interface CompressionOptions {
  readonly pool: WorkerPool;
}

/** The share of a window that stays free for the answer if the request names no limit. */
const unaskedShare = 1 / 8;
/** The share of a window that the answer takes at most. */
const outputShareMax = 1 / 2;

type Engine = 'middle-out' | 'tool-outputs';

/**
 * Shortens a conversation that does not fit the window of an endpoint (contract inference.md 21). Each attempt gets
 * what its own window holds.
 */
export function compressionStage({
  pool,
}: CompressionOptions): ResponseStage<'attempt', AttemptStage, AttemptContext> {
  return {
    at: 'attempt',
    name: 'context-compression',
    open(call, context) {
      const compression = compressionOf(call);
      const isWanted = (attempt: AttemptedEndpoint) =>
        isCompressedFor(compression, windowOf(attempt));
      if (!context.attempts.some(isWanted)) return undefined;
      const engine = settingsOf(call, 'context-compression')?.engine ?? 'middle-out';
      const tight = tightOf(call, compression, context);
      const opened = (prepared?: PreparedTexts) => ({
        forAttempt: compressing({ compression, engine, prepared }),
      });
      if (tight.length === 0) return opened();
      return prepare(call, { pool, engine, tight, context }).then(opened);
    },
  };
}

interface Preparing extends CompressionOptions {
  readonly engine: Engine;
  readonly tight: readonly AttemptedEndpoint[];
  readonly context: AttemptContext;
}

function prepare(
  { inference: { items } }: CanonicalCall,
  { pool, engine, tight, context: { principal, signal } }: Preparing,
): Promise<PreparedTexts | undefined> {
  const known = tight.flatMap(({ model }) => encodingOf(model) ?? []);
  return prepareTexts(items, {
    pool,
    account: principal.accountId,
    signal: abortSignalOf(signal),
    encodings: [...new Set(known)],
    shrinks: engine === 'tool-outputs',
  });
}

/** Returns the attempts whose window does not hold the request by our estimate. */
function tightOf(
  { inference }: CanonicalCall,
  compression: Compression,
  { attempts }: AttemptContext,
): readonly AttemptedEndpoint[] {
  const may = attempts.filter((attempt) => concerns(compression, inference, attempt));
  if (may.length === 0) return may;
  const tokens = countItems(inference.items).reduce((sum, count) => sum + count, 0);
  return may.filter((attempt) => tokens > roomOf(inference, windowOf(attempt)));
}

interface Compressing {
  readonly compression: Compression;
  readonly engine: Engine;
  readonly prepared: PreparedTexts | undefined;
}

function compressing(all: Compressing): AttemptStage['forAttempt'] {
  return (request, attempt) =>
    concerns(all.compression, request, attempt) ? compressed(request, attempt, all) : { request };
}

function concerns(
  compression: Compression,
  request: InferenceRequest,
  attempt: AttemptedEndpoint,
): boolean {
  const window = windowOf(attempt);
  if (!isCompressedFor(compression, window) || isSmall(request, window)) return false;
  return attempt.endpoint.outputModalities.includes('text');
}

function compressed(
  request: InferenceRequest,
  attempt: AttemptedEndpoint,
  { engine, prepared }: Compressing,
): AttemptResult {
  const exact = prepared?.countFor(encodingOf(attempt.model));
  const count = exact ?? textTokens;
  const counts = countItems(request.items, count);
  const tokensMax = roomOf(request, windowOf(attempt));
  const original_tokens = counts.reduce((sum, each) => sum + each, 0);
  if (original_tokens <= tokensMax) return { request };
  const shrunk =
    engine === 'tool-outputs' && prepared
      ? shrinkOutputs(request.items, counts, { tokensMax, prepared, count })
      : { items: request.items, counts, tokens: original_tokens, outputs: 0 };
  const { items, tokens } = middleOut(shrunk.items, shrunk.counts, tokensMax) ?? shrunk;
  const gone = request.items.length - items.length;
  if (gone === 0 && shrunk.outputs === 0) return { request };
  return {
    request: { ...request, items },
    report: {
      type: 'context_compression',
      name: 'context-compression',
      summary: [
        ...(shrunk.outputs > 0 ? [`shrank ${String(shrunk.outputs)} outputs of tools`] : []),
        ...(gone > 0 ? [`left out ${String(gone)} of ${String(request.items.length)}`] : []),
      ].join(', '),
      data: {
        engine,
        input_type: 'messages',
        original_count: request.items.length,
        compressed_count: items.length,
        ...(engine === 'tool-outputs' && { shrunk_outputs: shrunk.outputs }),
        original_tokens,
        compressed_tokens: tokens,
        is_estimated: exact === undefined,
      },
    },
  };
}

/** Returns the tokens that the items of a request may have. */
function roomOf(request: InferenceRequest, window: number): number {
  const asked = request.maxOutputTokens ?? window * unaskedShare;
  const output = Math.ceil(Math.min(asked, window * outputShareMax));
  return window - output - countRest(request);
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
