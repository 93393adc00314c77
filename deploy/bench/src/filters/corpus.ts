import { seededRandom, type Random } from '@sluice/testing/random';
import { withFillers } from './corpus-fillers.ts';
import { makers } from './corpus-values.ts';
import { carriersOf, countries } from './data.ts';
import type { LabelledSpan, Sample } from './evaluate.ts';
import { oneOf } from './random-text.ts';

export interface CorpusOptions {
  readonly seed: number;
  /** Texts per label. Some texts have content of several labels. */
  readonly perLabel: number;
}

export const corpusLabels = [
  'EMAIL',
  'PHONE',
  'SSN',
  'CREDIT_CARD',
  'IP_ADDRESS',
  'PERSON_NAME',
  'ADDRESS',
  'SECRET',
] as const;
type Label = (typeof corpusLabels)[number];

/**
 * Generates texts with known content of twenty countries, and near misses. The same seed gives the
 * same texts.
 */
export function* corpus({ seed, perLabel }: CorpusOptions): Generator<Sample> {
  const random = seededRandom(seed);
  for (const label of corpusLabels) {
    const carriers = carriersOf(label);
    for (let count = 0; count < perLabel; count++) yield sampleOf(random, oneOf(random, carriers));
  }
  const nearMisses = carriersOf('');
  for (let count = 0; count < perLabel * 2; count++)
    yield { text: withFillers(random, oneOf(random, nearMisses)), spans: [] };
}

/** `{EMAIL}` and `{ADDRESS:line}` in a carrier stand for content, all of one country. */
function sampleOf(random: Random, carrier: string): Sample {
  const place = oneOf(random, countries);
  const spans: LabelledSpan[] = [];
  let text = '';
  let at = 0;
  for (const match of carrier.matchAll(/\{([A-Z_]{3,20})(?::([a-z0-9-]{1,20}))?\}/gu)) {
    const [whole, label = '', variant = ''] = match;
    text += withFillers(random, carrier.slice(at, match.index));
    at = match.index + whole.length;
    const value = makers[label as Label](random, place, variant);
    const { text: all, part = all } = typeof value === 'string' ? { text: value } : value;
    const start = text.length + all.lastIndexOf(part);
    spans.push({ start, end: start + part.length, label });
    text += all;
  }
  return { text: text + withFillers(random, carrier.slice(at)), spans };
}
