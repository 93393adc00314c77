import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

function parse(line: string) {
  const asked = parseCommandLine(['ledger', ...line.split(' ').filter((word) => word !== '')]);
  return asked.name === 'ledger' ? asked.command : asked;
}

describe('the words behind ledger', () => {
  test('name what is to be compared', () => {
    deepEqual(parse('rebuild --verify'), { name: 'verify' });
    const all = { provider: undefined, from: undefined, to: undefined };
    deepEqual(parse('reconcile --receipts r.csv'), {
      name: 'reconcile',
      receipts: 'r.csv',
      ...all,
    });
    const days = '--provider sim --from 2026-11-01 --to 2026-11-18T12:00:00Z';
    deepEqual(parse(`reconcile --receipts r.csv ${days}`), {
      name: 'reconcile',
      receipts: 'r.csv',
      provider: 'sim',
      from: new Date('2026-11-01T00:00:00.000Z'),
      to: new Date('2026-11-18T12:00:00.000Z'),
    });
  });

  for (const line of [
    '',
    'drop',
    'rebuild',
    'rebuild --verify all',
    'rebuild --verify --receipts r',
    'reconcile',
    'reconcile --receipts=',
    'reconcile --receipts r --verify',
    'reconcile --receipts r --from today',
    'reconcile --receipts r --from 2026-02-30',
  ])
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(() => parse(line), { name: 'WrongUsage' }));
});
