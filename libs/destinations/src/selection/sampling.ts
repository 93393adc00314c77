import { hash } from 'node:crypto';

/** The first 48 bits of a digest fit a number exactly. */
const hexDigits = 12;
const range = 16 ** hexDigits;

/**
 * Decides whether a destination gets a session, or a trace without a session. The same question has the same answer in
 * each process and at each time, and a higher rate keeps all that a lower one has chosen.
 */
export function isSampled(destinationId: string, sessionOrTraceId: string, rate: number): boolean {
  if (rate >= 1) return true;
  const digest = hash('sha256', JSON.stringify([destinationId, sessionOrTraceId]), 'hex');
  return Number.parseInt(digest.slice(0, hexDigits), 16) < rate * range;
}
