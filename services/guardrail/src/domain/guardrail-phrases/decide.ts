import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { GuardrailPhrasesEvent } from './events.ts';
import { evolve, type GuardrailPhrases, initial } from './state.ts';

/** Replaces the phrases that the patterns of prompt injection pass over (management.md, section 12.3). */
export interface SetGuardrailPhrases {
  readonly type: 'SetGuardrailPhrases';
  readonly accountId: string;
  readonly phrases: readonly string[];
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

const phrasesMax = 200;
const phraseBytesMax = 1_000;

function decide(
  { accountId, phrases, occurredAt }: SetGuardrailPhrases,
  current: GuardrailPhrases,
): readonly GuardrailPhrasesEvent[] | Rejection<'invalid_request'> {
  const issues = issuesOf(phrases);
  if (issues.length > 0) return invalidRequest(issues);
  const isSame =
    phrases.length === current.phrases.length &&
    phrases.every((phrase, index) => phrase === current.phrases[index]);
  if (isSame) return [];
  return [{ type: 'GuardrailPhrasesSet', data: { accountId, phrases, setAt: occurredAt } }];
}

function issuesOf(phrases: readonly string[]): readonly Issue[] {
  if (phrases.length > phrasesMax)
    return [{ path: 'phrases', message: `must have at most ${phrasesMax} entries` }];
  const seen = new Map<string, number>();
  return phrases.flatMap((phrase, index): Issue[] => {
    const path = `phrases.${index}`;
    const folded = phrase.toLowerCase();
    const first = seen.get(folded);
    if (first === undefined) seen.set(folded, index);
    else return [{ path, message: `repeats phrases.${first}` }];
    if (phrase.trim() === '') return [{ path, message: 'must not be blank' }];
    // PostgreSQL has no text with it: the event could not be shown.
    if (phrase.includes('\0')) return [{ path, message: 'must not have the character U+0000' }];
    // One character takes three bytes at most.
    const isLong = phrase.length > phraseBytesMax || utf8Length(phrase) > phraseBytesMax;
    return isLong ? [{ path, message: `must have at most ${phraseBytesMax} bytes` }] : [];
  });
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

export const guardrailPhrases: Decider<
  SetGuardrailPhrases,
  GuardrailPhrases,
  GuardrailPhrasesEvent,
  Rejection<'invalid_request'>
> = { category: 'guardrailPhrases', initial, evolve, decide };
