import { hash } from 'node:crypto';
import type { Verdict } from '@sluice/moderation';

/**
 * Remembers verdicts: agents send a conversation anew with each turn, and only its new texts are judged. Keeps hashes,
 * never a text. Bounded; the oldest goes first.
 */
export interface Verdicts {
  find(key: string): Verdict | undefined;
  keep(key: string, verdict: Verdict): void;
}

const verdictsMax = 50_000;

export function createVerdicts(): Verdicts {
  const verdicts = new Map<string, Verdict>();
  return {
    find(key) {
      const verdict = verdicts.get(key);
      if (!verdict) return undefined;
      verdicts.delete(key);
      verdicts.set(key, verdict);
      return verdict;
    },
    keep(key, verdict) {
      const oldest = verdicts.size >= verdictsMax ? verdicts.keys().next().value : undefined;
      if (oldest !== undefined) verdicts.delete(oldest);
      verdicts.set(key, verdict);
    },
  };
}

/** The key of a verdict. No account learns from its speed what another one sent. */
export function verdictKey(accountId: string, text: string): string {
  return hash('sha256', `${accountId} ${text}`, 'base64url');
}
