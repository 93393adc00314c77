import { seededRandom, type Random } from '@sluice/testing/random';
import { carriers, nearMisses } from './carriers.ts';
import { countries } from './countries.ts';
import type { Country } from './country.ts';
import type { LabelledSpan, Sample } from './evaluate.ts';
import { makeSecret } from './make-secret.ts';

export interface CorpusOptions {
  readonly seed: number;
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

/** Generates texts with known content of twenty countries, and near misses. The same seed gives the same texts. */
export function* corpus({ seed, perLabel }: CorpusOptions): Generator<Sample> {
  const random = seededRandom(seed);
  for (const label of corpusLabels)
    for (let count = 0; count < perLabel; count++)
      yield sampleOf(random, random.pick(carriers[label]));
  for (let count = 0; count < perLabel * 2; count++)
    yield { text: filled(random, random.pick(nearMisses)), spans: [] };
}

/** `{EMAIL}` and the like in a carrier stand for content. */
function sampleOf(random: Random, carrier: string): Sample {
  const place = placeOf(random);
  const spans: LabelledSpan[] = [];
  let text = '';
  let at = 0;
  for (const { 0: whole, 1: label, index } of carrier.matchAll(/\{([A-Z_]+)\}/gu)) {
    text += filled(random, carrier.slice(at, index));
    at = index + whole.length;
    const value = valueOf(random, label as Label, place);
    spans.push({ start: text.length, end: text.length + value.length, label: label ?? '' });
    text += value;
  }
  return { text: text + filled(random, carrier.slice(at)), spans };
}

function placeOf(random: Random): Country {
  return countries[random.below(countries.length)] ?? countries[0]!;
}

function any(random: Random, values: readonly string[]): string {
  return values[random.below(values.length)] ?? '';
}

/** `#` is any digit, `@` one from 1 to 9. */
function filled(random: Random, format: string): string {
  return format.replaceAll(/#|@(?=[\d#,/ A-Z])/gu, (sign) =>
    String(sign === '#' ? random.below(10) : random.between(1, 9)),
  );
}

function valueOf(random: Random, label: Label, place: Country): string {
  switch (label) {
    case 'EMAIL':
      return emailOf(random, place);
    case 'PHONE':
      return filled(random, any(random, place.phones));
    case 'SSN': {
      const area = random.pick(['123', '078', '219', '457', '512', '601', '733', '899']);
      const separator = random.pick(['-', '-', '-', '–']);
      return [area, `${random.between(10, 99)}`, `${random.between(1000, 9999)}`].join(separator);
    }
    case 'CREDIT_CARD':
      return cardOf(random);
    case 'IP_ADDRESS':
      return addressOf(random);
    case 'PERSON_NAME':
      return `${any(random, place.given)} ${any(random, place.family)}`;
    case 'ADDRESS':
      return filled(
        random,
        any(random, place.addresses)
          .replace('{n}', String(random.between(1, 240)))
          .replace('{s}', any(random, place.streets))
          .replaceAll('{c}', any(random, place.cities)),
      );
    case 'SECRET':
      return makeSecret(random);
  }
}

function plain(name: string): string {
  const bare = name.normalize('NFD').replaceAll(/[^a-zA-Z]/gu, '');
  return bare.toLowerCase() || 'info';
}

function emailOf(random: Random, place: Country): string {
  const given = plain(any(random, place.given));
  const family = plain(any(random, place.family));
  const local = random.pick([
    `${given}.${family}`,
    `${given}${random.below(100)}`,
    `${given.charAt(0)}${family}`,
    `${given}+news`,
    `${given}_${family}`,
  ]);
  const code = place.code.toLowerCase();
  const host = random.pick([
    'example.com',
    `mail.${family}.co.uk`,
    `${family}-gmbh.${code}`,
    'x.io',
  ]);
  return `${local}@${host}`;
}

function cardOf(random: Random): string {
  const [prefix, length] = random.pick<readonly [string, number]>([
    ['4', 16],
    ['51', 16],
    ['2221', 16],
    ['37', 15],
    ['6011', 16],
    ['3528', 16],
    ['36', 14],
  ]);
  let digits = prefix;
  while (digits.length < length - 1) digits += String(random.below(10));
  digits += checkDigit(digits);
  const separator = random.pick(['', '', ' ', '-']);
  const groups = length === 16 ? [4, 4, 4, 4] : length === 15 ? [4, 6, 5] : [4, 6, 4];
  let at = 0;
  return groups.map((size) => digits.slice(at, (at += size))).join(separator);
}

function checkDigit(digits: string): number {
  let sum = 0;
  Array.from(digits)
    .toReversed()
    .forEach((digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
      sum += doubled > 9 ? doubled - 9 : doubled;
    });
  return (10 - (sum % 10)) % 10;
}

function addressOf(random: Random): string {
  if (random.next() < 0.6)
    return [random.between(1, 223), random.below(256), random.below(256), random.below(256)].join(
      '.',
    );
  const group = () => random.between(1, 0xffff).toString(16);
  return random.pick([
    `2001:db8::${group()}`,
    `fe80::${group()}:${group()}:${group()}`,
    [`2a02`, group(), group(), group(), group(), group(), group(), group()].join(':'),
  ]);
}
