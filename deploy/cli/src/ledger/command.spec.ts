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
    const all = { provider: undefined, from: undefined, to: undefined, apply: undefined };
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
      apply: undefined,
    });
  });

  test('name what is to be changed', () => {
    const all = { provider: undefined, from: undefined, to: undefined };
    const reconcile = { name: 'reconcile', receipts: 'r.csv', ...all };
    const apply = (isComplete: boolean) => ({ ...reconcile, apply: { isComplete } });
    deepEqual(parse('reconcile --receipts r.csv --apply'), apply(false));
    deepEqual(parse('reconcile --receipts r.csv --apply --complete'), apply(true));
    const writeOff = { name: 'write-off', olderThanDays: 30, provider: undefined };
    deepEqual(parse('write-off --older-than 30'), { ...writeOff, isConfirmed: false });
    deepEqual(parse('write-off --older-than 30 --provider sim --confirm'), {
      ...writeOff,
      provider: 'sim',
      isConfirmed: true,
    });
  });

  test('name what is to be ended', () => {
    const close = { name: 'close-replica', replica: 'replica-1' };
    deepEqual(parse('close-replica replica-1'), { ...close, isFreed: false, isConfirmed: false });
    deepEqual(parse('close-replica replica-1 --free --confirm'), {
      ...close,
      isFreed: true,
      isConfirmed: true,
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
    'reconcile --receipts r --complete',
    'write-off',
    'close-replica',
    'close-replica a b',
    'write-off --older-than 0',
    'write-off --older-than 1.5',
    'write-off --older-than week --confirm',
  ])
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(() => parse(line), { name: 'WrongUsage' }));
});
