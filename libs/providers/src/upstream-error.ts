import type { ErrorCode } from '@sluice/errors';
import { isOutput, type StreamPart, type TokenUsage } from '@sluice/inference';

/** An upstream's refusal, in codes of Sluice. */
export interface UpstreamError {
  readonly code: ErrorCode;
  /** A public text. It never contains a secret or the address of the upstream. */
  readonly message: string;
  /** The upstream's own code, bounded and printable. */
  readonly providerCode: string | undefined;
  /** The wait that the body asks for, in seconds. Most upstreams send it in a header. */
  readonly waitSeconds?: number | undefined;
}

type ErrorPart = Extract<StreamPart, { type: 'error' }>;

/** The stream ended, or the connection broke, before the last event of the upstream. */
export function cutPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart('The answer of the provider was cut short', usage);
}

/** There was no connection, or it broke before an answer. */
export function unreachablePart(): ErrorPart {
  return unavailablePart('The provider could not be reached', undefined);
}

const malformedMessage = 'The answer of the provider is malformed';

/** The upstream sent something that its own protocol does not allow. */
export function malformedPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart(malformedMessage, usage);
}

/** Drops the output of a malformed answer that came whole. None of it was sent, so another endpoint may be tried. */
export function withoutMalformed(parts: readonly StreamPart[]): readonly StreamPart[] {
  const last = parts.at(-1);
  const isMalformed = last?.type === 'error' && last.message === malformedMessage;
  return isMalformed ? parts.filter((part) => !isOutput(part)) : parts;
}

/** The upstream sent more than the request allows. */
export function overlongPart(): ErrorPart {
  return unavailablePart('The answer of the provider is longer than was asked for', undefined);
}

/** All answers together exceed their memory bound, and this one holds the most. */
export function memoryShortPart(): ErrorPart {
  const message = 'There is no memory left for the answer of the provider';
  return { type: 'error', code: 'unavailable', message, providerCode: undefined, usage: undefined };
}

/** The upstream ended normally without any output: no text, no call, no counted token. */
export function emptyPart(usage?: TokenUsage): ErrorPart {
  return unavailablePart('The answer of the provider is empty', usage);
}

/** The upstream ended the generation with a finish reason that means failure. */
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

/** Returns an upstream's text as one line of at most 500 characters, or undefined if it is empty. */
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

/** Returns the first candidate that has the form of a code. */
export function providerCodeOf(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const text = typeof candidate === 'number' ? String(candidate) : candidate;
    if (typeof text === 'string' && providerCodePattern.test(text)) return text;
  }
  return undefined;
}
