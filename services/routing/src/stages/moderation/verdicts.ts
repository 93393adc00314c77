import { hash } from 'node:crypto';
import type { Verdict } from '@sluice/moderation';
import { createRecent, type Recent } from '../recent.ts';

/**
 * Remembers verdicts: agents send a conversation anew with each turn, and only its new texts are judged. Keeps hashes,
 * never a text. Bounded; the oldest goes first.
 */
export type Verdicts = Pick<Recent<Verdict>, 'find' | 'keep'>;

const verdictsMax = 50_000;

export function createVerdicts(): Verdicts {
  return createRecent<Verdict>(verdictsMax);
}

/** The key of a verdict. No account learns from its speed what another one sent. */
export function verdictKey(accountId: string, text: string): string {
  return hash('sha256', `${accountId} ${text}`, 'base64url');
}
