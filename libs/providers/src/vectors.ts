import type { EmbeddingVector, StreamPart, TokenUsage } from '@sluice/inference';
import { malformedPart } from './upstream-error.ts';
import { unreadUsage } from './usage-counts.ts';

/** The answer of a provider to a call for vectors. They are unchecked, in the order of the inputs. */
interface AnsweredVectors {
  readonly vectors: readonly unknown[];
  readonly upstreamId?: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** The usage as the provider sent it. */
  readonly reported: unknown;
}

/** Returns the parts of an answer, or an `error` part if an input has no vector or its vector is malformed. */
export function vectorParts(
  { vectors, upstreamId, usage, reported }: AnsweredVectors,
  inputs: number,
): readonly StreamPart[] {
  const head = [
    { type: 'response-start', upstreamId } as const,
    ...unreadUsage(reported, usage),
  ] as const;
  if (vectors.length !== inputs || !vectors.every(isVector)) return [...head, malformedPart(usage)];
  return [
    ...head,
    { type: 'embeddings', vectors },
    { type: 'finish', reason: 'stop', nativeReason: undefined, usage },
  ];
}

const floatBytes = 4;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;

function isVector(value: unknown): value is EmbeddingVector {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => Number.isFinite(one));
  if (typeof value !== 'string' || !base64Pattern.test(value)) return false;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.byteLength === 0 || bytes.byteLength % floatBytes !== 0) return false;
  for (let place = 0; place < bytes.byteLength; place += floatBytes)
    if (!Number.isFinite(bytes.readFloatLE(place))) return false;
  return true;
}
