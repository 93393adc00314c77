import { hash } from 'node:crypto';
import type { GroupVerdict, ScannedTexts } from '@sluice/content-scanner';

/**
 * Remembers verdicts: agents send a conversation anew with each turn, and only its new texts are scanned. Keeps hashes
 * and places, never a text. Bounded; the oldest goes first.
 */
export interface Verdicts {
  find(key: string): GroupVerdict | undefined;
  keep(key: string, verdict: GroupVerdict): void;
}

const verdictsMax = 50_000;
/** A verdict with more places is not worth its memory. */
const placesMax = 100;

export function createVerdicts(): Verdicts {
  const verdicts = new Map<string, GroupVerdict>();
  return {
    find(key) {
      const verdict = verdicts.get(key);
      if (!verdict) return undefined;
      verdicts.delete(key);
      verdicts.set(key, verdict);
      return verdict;
    },
    keep(key, verdict) {
      if (verdict.isCut || verdict.detections.length + verdict.redactions.length > placesMax)
        return;
      const oldest = verdicts.size >= verdictsMax ? verdicts.keys().next().value : undefined;
      if (oldest !== undefined) verdicts.delete(oldest);
      verdicts.set(key, verdict);
    },
  };
}

/** The key of a verdict. No account learns from its speed what another one sent. */
export function verdictKey(
  scope: {
    readonly accountId: string;
    readonly revision: string;
    readonly scansInjection: boolean;
  },
  { texts, form }: ScannedTexts,
): string {
  const { accountId, revision, scansInjection } = scope;
  const lengths = texts.map(({ length }) => length).join(',');
  const head = `${accountId} ${revision} ${scansInjection} ${form} ${lengths} `;
  return hash('sha256', head + texts.join(''), 'base64url');
}
