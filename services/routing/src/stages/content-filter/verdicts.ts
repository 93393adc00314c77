import { hash } from 'node:crypto';
import type { GroupVerdict, ScannedTexts } from '@sluice/content-scanner';
import { createRecent } from '../recent.ts';

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
  const verdicts = createRecent<GroupVerdict>(verdictsMax);
  return {
    find: (key) => verdicts.find(key),
    keep(key, verdict) {
      const places = verdict.detections.length + verdict.redactions.length;
      if (!verdict.isCut && places <= placesMax) verdicts.keep(key, verdict);
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
