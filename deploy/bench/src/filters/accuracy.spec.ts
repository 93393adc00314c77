import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict';
import { compileFilters, scan } from '@sluice/content-filter';
import { beforeAll, describe, test } from 'vitest';
import { corpus, corpusLabels } from './corpus.ts';
import { evaluate, type Score } from './evaluate.ts';

const slugs = [
  'email',
  'phone',
  'ssn',
  'credit-card',
  'ip-address',
  'secrets',
  'person-name',
  'address',
] as const;

describe('the corpus', () => {
  const options = { seed: 1, perLabel: 20 };

  test('is the same for the same seed', () => {
    deepEqual([...corpus(options)], [...corpus(options)]);
    notDeepEqual([...corpus(options)], [...corpus({ ...options, seed: 2 })]);
  });

  test('has content of each kind, at its places', () => {
    const labels = new Set<string>();
    for (const { text, spans } of corpus(options))
      for (const { start, end, label } of spans) {
        labels.add(label);
        ok(start >= 0 && start < end && end <= text.length, text);
        ok(!/[#{}]/u.test(text.slice(start, end)), text);
      }
    deepEqual([...labels].toSorted(), corpusLabels.toSorted());
  });
});

describe('an evaluation', () => {
  const text = 'Ada Lovelace, ada@x.io';
  const spans = [
    { start: 0, end: 12, label: 'PERSON_NAME' },
    { start: 14, end: 22, label: 'EMAIL' },
  ];

  test('counts what agrees, what is wrong and what is missed', () => {
    const found = [
      { start: 0, end: 14, label: 'PERSON_NAME' },
      { start: 14, end: 17, label: 'EMAIL' },
    ];
    deepEqual(
      evaluate([{ text, spans }], () => found).map((one) => [one.label, one.true, one.wrong]),
      [
        ['EMAIL', 0, 1],
        ['PERSON_NAME', 1, 0],
      ],
    );
  });

  test('of nothing found has no recall', () => {
    const [email] = evaluate([{ text, spans }], () => []);
    equal(email?.recall, 0);
    equal(email?.precision, 1);
  });
});

describe('the built-in filters', () => {
  let scores: ReadonlyMap<string, Score>;
  beforeAll(async () => {
    const filters = await compileFilters({
      builtin: slugs.map((slug) => ({ slug, action: 'flag' })),
      custom: [],
    });
    const found = evaluate(corpus({ seed: 5, perLabel: 80 }), (text) =>
      scan(text, filters).detections.map(({ start, end, filter }) => ({
        start,
        end,
        label: filter.name.replaceAll(/[[\]]/gu, ''),
      })),
    );
    scores = new Map(found.map((score) => [score.label, score]));
  });

  test.each([
    ['EMAIL', 0.99, 0.99],
    ['SSN', 0.99, 0.99],
    ['IP_ADDRESS', 0.99, 0.99],
    ['CREDIT_CARD', 0.98, 0.98],
    ['PHONE', 0.9, 0.9],
    ['PERSON_NAME', 0.75, 0.65],
    ['ADDRESS', 0.75, 0.65],
    ['SECRET', 0.95, 0.95],
  ])('find %s with a precision of %d and a recall of %d', (label, precision, recall) => {
    const score = scores.get(label);
    ok(score && score.precision >= precision && score.recall >= recall, JSON.stringify(score));
  });
});
