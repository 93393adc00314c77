import { type Compression, isCompressedFor } from '../request/compression.ts';
import {
  type Candidate,
  contextTokensMaxOf,
  outputTokensMaxOf,
  promptTokensMaxOf,
} from './candidate.ts';

/** The part of a demand that the window of an endpoint decides about. */
interface Fitting {
  readonly request: { readonly maxOutputTokens: number | undefined };
  readonly contextTokens: number;
  readonly compression: Compression;
  readonly compressedWindowMin?: number;
}

/** Returns true for a candidate whose window holds the input and the output that is asked for. */
export function isFitting(candidate: Candidate, { contextTokens, request }: Fitting): boolean {
  const output = Math.min(request.maxOutputTokens ?? 0, outputTokensMaxOf(candidate));
  return (
    contextTokens <= promptTokensMaxOf(candidate) &&
    contextTokens + output <= contextTokensMaxOf(candidate)
  );
}

/** Returns true for a candidate whose window is large enough to shorten the request for it. */
export function isShortened(
  candidate: Candidate,
  { compression, compressedWindowMin = Infinity }: Fitting,
): boolean {
  const window = promptTokensMaxOf(candidate);
  return isCompressedFor(compression, window) && window >= compressedWindowMin;
}

/** Adds the least window to shorten for: half of the tokens that are needed, or the largest window. */
export function withCompressedWindow<Of extends Fitting>(
  candidates: readonly Candidate[],
  demanded: Of,
): Of {
  const { compression, contextTokens, request } = demanded;
  if (compression === 'off') return demanded;
  const windows = candidates
    .map(promptTokensMaxOf)
    .filter((window) => isCompressedFor(compression, window));
  const needed = (contextTokens + (request.maxOutputTokens ?? 0)) / 2;
  const compressedWindowMin = Math.min(needed, Math.max(0, ...windows));
  return { ...demanded, compressedWindowMin };
}
