import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { logOf, type Written } from './testing/a-log.ts';
import { compareRows } from './audit-read-models.ts';
import { foldReadModels, text } from './fold.ts';

const key = (type: string, data: Written['data']): Written => ({
  stream: 'apiKey-aa',
  type,
  data,
  commandId: 'c1',
});
const issued = key('ApiKeyIssued', {
  hash: 'aa',
  name: 'one',
  limitNanoUsd: null,
  issuedAt: '2026-01-01T00:00:00.000Z',
});
const rowOf = (...written: readonly Written[]) =>
  foldReadModels(logOf(written))['key.api_keys'].get('aa');

describe('the fold of the read models', () => {
  test('gives a key what was changed last, and when', () => {
    const at = '2026-01-02T00:00:00.000Z';
    const row = rowOf(
      issued,
      key('ApiKeyRenamed', { name: 'two', changedAt: at }),
      key('ApiKeyDisabled', { changedAt: at }),
      key('ApiKeyLimitChanged', { limitNanoUsd: '9007199254740993', changedAt: at }),
    );
    deepEqual(
      [row?.['name'], row?.['disabled'], row?.['limit_nano_usd'], row?.['updated_at']],
      ['two', 'true', '9007199254740993', at],
    );
    equal(row?.['created_at'], '2026-01-01T00:00:00.000Z');
  });

  test('takes a refund off the credits that were bought', () => {
    const account = (type: string, data: Written['data']): Written => ({
      ...key(type, { accountId: 'org_1', amountNanoUsd: '5', ...data }),
      stream: 'account-org_1',
    });
    const log = logOf([account('CreditsPurchased', {}), account('CreditsRefunded', {})]);
    const rows = [...foldReadModels(log)['ledger.credits'].values()];
    deepEqual(
      rows.map((row) => [row['entry_kind'], row['amount_nano_usd']]),
      [
        ['purchase', '5'],
        ['refund', '-5'],
      ],
    );
  });

  test('has no row of a deleted key', () => {
    equal(rowOf(issued, key('ApiKeyDeleted', {})), undefined);
  });

  test('limits a key to its limit and an account to the sum of its credits', () => {
    const of = (type: string, amountNanoUsd: string): Written => ({
      stream: 'account-org',
      type,
      data: { accountId: 'org', amountNanoUsd },
      commandId: 'c2',
    });
    const folded = foldReadModels(
      logOf([
        issued,
        key('ApiKeyLimitChanged', { limitNanoUsd: '7', changedAt: '' }),
        of('CreditsGranted', '5'),
        of('CreditsPurchased', '4'),
        of('CreditsRefunded', '3'),
      ]),
    );
    const amounts = [...folded['ledger.limits']].map(([name, row]) => [
      name,
      row['limit_nano_usd'],
    ]);
    deepEqual(amounts, [
      ['null key aa lifetime', '7'],
      ['org account org lifetime', '6'],
    ]);
    equal(folded['ledger.credits'].size, 3);
  });

  test('refuses an event that it does not know', () => {
    throws(() => rowOf(issued, key('ApiKeyPainted', {})), /ApiKeyPainted/);
  });

  test('writes the same for what JSON and what PostgreSQL say', () => {
    const at = '2026-01-02T00:00:00.000Z';
    deepEqual(
      [text(new Date(at)), text(9007199254740993n), text(true), text(null)],
      [at, '9007199254740993', 'true', 'null'],
    );
  });
});

describe('the comparison of rows', () => {
  const rows = (name: string) => new Map([['aa', { hash: 'aa', name }]]);

  test('finds nothing where all is the same', () => {
    deepEqual(compareRows('t', rows('one'), rows('one')), []);
  });

  test('finds a row that is missing, one too many, and a column that differs', () => {
    deepEqual(compareRows('t', rows('one'), new Map()), ['t has no row aa, which the events make']);
    deepEqual(compareRows('t', new Map(), rows('one')), ['t has a row aa, which no event makes']);
    deepEqual(compareRows('t', rows('one'), rows('two')), ['t aa: name is two, by the events one']);
  });

  test('finds a column that the fold does not know', () => {
    const stored = new Map([['aa', { hash: 'aa', name: 'one', colour: 'red' }]]);
    deepEqual(compareRows('t', rows('one'), stored), ['t aa: colour is red, by the events absent']);
  });
});
