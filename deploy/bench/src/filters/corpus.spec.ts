import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { describe, test } from 'vitest';
import { corpus, corpusLabels } from './corpus.ts';
import { carriersOf, countries } from './data.ts';

const options = { seed: 1, perLabel: 200 };
const samples = [...corpus(options)];
const texts = (label: string) =>
  samples.flatMap(({ text, spans }) =>
    spans.filter((span) => span.label === label).map(({ start, end }) => text.slice(start, end)),
  );

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

describe('the corpus', () => {
  test('is the same for the same seed', () => {
    deepEqual([...corpus(options)], samples);
    notDeepEqual([...corpus({ ...options, seed: 2 })], samples);
  });

  test('has content of each label, in places that do not overlap', () => {
    const labels = new Set<string>();
    for (const { text, spans } of samples) {
      let at = 0;
      for (const { start, end, label } of spans) {
        labels.add(label);
        ok(start >= at && start < end && end <= text.length, text);
        equal(text.slice(start, end).trim(), text.slice(start, end));
        at = end;
      }
    }
    deepEqual([...labels].toSorted(), corpusLabels.toSorted());
  });

  test('fills all its formats', () => {
    const open = /\{(?:[A-Z_]{3,20}(?::[a-z0-9-]+)?|[dxb]\d+|[a-z-]+)\}|undefined|NaN/u;
    for (const { text } of samples) ok(!open.test(text), text);
  });

  test('has fifteen carriers for each label, and texts without content', () => {
    for (const label of corpusLabels) ok(new Set(carriersOf(label)).size >= 15, label);
    const nearMisses = carriersOf('');
    equal(new Set(nearMisses).size, nearMisses.length);
    equal(samples.filter(({ spans }) => spans.length === 0).length, options.perLabel * 2);
    ok(samples.some(({ spans }) => new Set(spans.map(({ label }) => label)).size > 1));
  });

  test('has only cards that pass the Luhn check, and order numbers that fail it', () => {
    for (const card of texts('CREDIT_CARD')) ok(passesLuhn(card.replaceAll(/\D/gu, '')), card);
    for (const { text, spans } of samples)
      for (const [number] of spans.length > 0 ? [] : text.matchAll(/\b(?:\d{4}-?){3}\d{4}\b/gu))
        ok(!passesLuhn(number.replaceAll(/\D/gu, '')), text);
  });

  test('has only social security numbers that can be given', () => {
    for (const number of texts('SSN')) {
      const [, area = '', group = '', serial = ''] =
        /^(\d{3})[ -]?(\d{2})[ -]?(\d{4})$/u.exec(number) ?? [];
      ok(area !== '' && area !== '000' && area !== '666' && area < '900', number);
      ok(group !== '00' && serial !== '0000', number);
    }
  });

  test('gives GitHub tokens their check sum', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const tokens = texts('SECRET').filter((text) => text.startsWith('ghp_'));
    ok(tokens.length > 0);
    for (const token of tokens) {
      let sum = 0;
      for (const sign of token.slice(-6)) sum = sum * 62 + alphabet.indexOf(sign);
      equal(sum, crc32(token.slice(4, 34)));
    }
  });
});

describe('the countries', () => {
  test('are twenty', () => {
    equal(new Set(countries.map(({ code }) => code)).size, 20);
  });

  test.each(countries.map((one) => [one.code, one] as const))('%s has enough of all', (_, one) => {
    ok(new Set(one.given).size >= 25);
    ok(new Set(one.family).size >= 25);
    ok(new Set(one.streets).size >= 12);
    ok(new Set(one.cities.map((city) => city.split('/')[0])).size >= 8);
    ok(one.lines.length > 0 && one.blocks.length > 0);
    ok(one.national.length > 0 && one.international.length > 0);
  });
});
