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
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  // The pattern also accepts base64 without padding. It takes five times as long as to encode the bytes again.
  if (bytes.toString('base64') !== value && !base64Pattern.test(value)) return false;
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength === 0 || byteLength % floatBytes !== 0) return false;
  // The methods of Buffer take several times as long, because they check their arguments.
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; at < byteLength; at += floatBytes)
    if (!Number.isFinite(view.getFloat32(at, true))) return false;
  return true;
}
