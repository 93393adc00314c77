import type { ErrorCode } from '@sluice/errors';
import type { StreamPart, TokenUsage } from '@sluice/inference';

/** An upstream's refusal, in codes of Sluice. */
export interface UpstreamError {
  readonly code: ErrorCode;
  /** Public text: never a secret, never where the upstream is. */
  readonly message: string;
  /** The upstream's own code, bounded and printable. */
  readonly providerCode: string | undefined;
}

type ErrorPart = Extract<StreamPart, { type: 'error' }>;

/** The stream ended, or the connection broke, before the upstream said that it was done. */
export function cutPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart('The answer of the provider was cut short', usage);
}

/** No connection, or it broke before an answer. */
export function unreachablePart(): ErrorPart {
  return unavailablePart('The provider could not be reached', undefined);
}

/** The upstream sent something that its own protocol does not allow. */
export function malformedPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart('The answer of the provider is malformed', usage);
}

/** The upstream sent more than was asked for, and does not stop. */
export function overlongPart(): ErrorPart {
  return unavailablePart('The answer of the provider is longer than was asked for', undefined);
}

/** All answers together take more memory than there is for them, and this one takes most of it. */
export function memoryShortPart(): ErrorPart {
  const message = 'There is no memory left for the answer of the provider';
  return { type: 'error', code: 'unavailable', message, providerCode: undefined, usage: undefined };
}

/** The upstream ended well and said nothing: no text, no call, not one token. */
export function emptyPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart('The answer of the provider is empty', usage);
}

/** The upstream ended the generation with a word that says it failed. */
export function declaredFailurePart(word: string | undefined, usage?: TokenUsage): ErrorPart {
  return {
    ...unavailablePart('The provider gave the answer up', usage),
    providerCode: providerCodeOf(word),
  };
}

function unavailablePart(message: string, usage: TokenUsage | undefined): ErrorPart {
  return { type: 'error', code: 'provider_unavailable', message, providerCode: undefined, usage };
}

const messageCharactersMax = 500;
const providerCodePattern = /^[\w.:-]{1,64}$/;

/** An upstream's text as we may show it: one line, at most 500 characters; undefined when empty. */
export function publicMessage(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text
    .slice(0, messageCharactersMax * 2)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (line === '') return undefined;
  return line.length > messageCharactersMax ? `${line.slice(0, messageCharactersMax - 1)}…` : line;
}

/** The first of these that looks like a code. */
export function providerCodeOf(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const text = typeof candidate === 'number' ? String(candidate) : candidate;
    if (typeof text === 'string' && providerCodePattern.test(text)) return text;
  }
  return undefined;
}
