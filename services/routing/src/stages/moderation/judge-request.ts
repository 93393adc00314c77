import { readableText } from '@sluice/content-scanner';
import type { InferenceRequest } from '@sluice/inference';
import type { Confidence, Moderator } from '@sluice/moderation';
import { type TextGroup, textGroups } from '../content-filter/request-texts.ts';
import { verdictKey, type Verdicts } from './verdicts.ts';

/** The flag of a request. */
export interface Flag {
  readonly reasons: readonly string[];
  readonly confidence: Confidence;
  /** The first flagged text, shortened. It is for the caller alone. */
  readonly excerpt: string;
}

interface Judging {
  readonly accountId: string;
  readonly signal: AbortSignal;
  readonly moderator: Moderator;
  readonly verdicts: Verdicts;
}

interface JudgedText {
  readonly text: string;
  /** The form that the caller sees. */
  readonly shown: string;
  readonly key: string;
}

const confidences = ['high', 'medium', 'low'] as const;

/** Returns the flag of a request; undefined: it has none. Only texts that are new to the account are judged. */
export async function judgeRequest(
  request: InferenceRequest,
  { accountId, signal, moderator, verdicts }: Judging,
): Promise<Flag | undefined> {
  const texts = textsOf(request, accountId);
  const found = new Map(texts.map(({ key }) => [key, verdicts.find(key)]));
  const unknown = new Map(
    texts.filter(({ key }) => found.get(key) === undefined).map((one) => [one.key, one.text]),
  );
  const judged = await moderator.check([...unknown.values()], { account: accountId, signal });
  for (const [at, key] of [...unknown.keys()].entries()) {
    const verdict = judged[at];
    if (!verdict) throw new Error('invariant: a moderator judges each text');
    found.set(key, verdict);
    verdicts.keep(key, verdict);
  }
  const flagged = texts.flatMap(({ key, shown }) => {
    const verdict = found.get(key);
    return verdict?.isFlagged ? [{ ...verdict, shown }] : [];
  });
  const [first] = flagged;
  if (!first) return undefined;
  return {
    reasons: [...new Set(flagged.flatMap(({ reasons }) => reasons))],
    confidence:
      confidences.find((word) => flagged.some(({ confidence }) => confidence === word)) ?? 'low',
    excerpt: elided(first.shown),
  };
}

function textsOf(request: InferenceRequest, accountId: string): readonly JudgedText[] {
  return textGroups(request)
    .map((group) => ({ shown: shownText(group), text: judgedText(group) }))
    .filter(({ text }) => text.trim() !== '')
    .map((one) => ({ ...one, key: verdictKey(accountId, one.text) }));
}

function shownText({ texts }: TextGroup): string {
  return texts.join('\n');
}

/** A word may be split between two parts of a message, and so may a sentence. */
function judgedText(group: TextGroup): string {
  const whole = readableText(group);
  return group.texts.length > 1 ? `${shownText(group)}\n\n${whole}` : whole;
}

const excerptMax = 100;
const dots = '...';

/** Returns at most 100 characters of a text, without its middle. */
export function elided(text: string): string {
  if (text.length <= excerptMax) return text.toWellFormed();
  const half = Math.floor((excerptMax - dots.length) / 2);
  // Half a pair at the cut is left out.
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/u, '');
  const end = text.slice(-half).replace(/^[\udc00-\udfff]/u, '');
  return `${start}${dots}${end}`.toWellFormed();
}
