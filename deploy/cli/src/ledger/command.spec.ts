import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

function parse(line: string) {
  const asked = parseCommandLine(['ledger', ...line.split(' ').filter((word) => word !== '')]);
  return asked.name === 'ledger' ? asked.command : asked;
}

describe('the words behind ledger', () => {
  test('name what is to be compared', () => {
    const whole = { name: 'verify', day: undefined, archive: undefined };
    deepEqual(parse('rebuild --verify'), whole);
    deepEqual(parse('rebuild --verify --day 2026-11-18 --archive /backup'), {
      ...whole,
      day: '2026-11-18',
      archive: '/backup',
    });
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

  test('name what is to be archived', () => {
    const archive = { name: 'archive', olderThanDays: 30, folder: '/backup' };
    const words = 'archive --older-than 30 --to /backup';
    deepEqual(parse(words), { ...archive, isConfirmed: false });
    deepEqual(parse(`${words} --confirm`), { ...archive, isConfirmed: true });
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

  test('name the prices at which usage is rated again', () => {
    const from = new Date('2026-11-01T00:00:00.000Z');
    const all = { to: undefined, accountId: undefined, by: [], form: 'table' };
    const rerate = { name: 'rerate', from, prices: 'p.yaml', ...all };
    deepEqual(parse('rerate --from 2026-11-01 --prices p.yaml --dry-run'), rerate);
    const more = '--to 2026-11-18T12:00:00Z --account acct_1 --by model,workspace --csv';
    deepEqual(parse(`rerate --from 2026-11-01 --prices p.yaml --dry-run ${more}`), {
      ...rerate,
      to: new Date('2026-11-18T12:00:00.000Z'),
      accountId: 'acct_1',
      by: ['workspace', 'model'],
      form: 'csv',
    });
  });

  test('say that other prices cannot be applied', () =>
    throws(() => parse('rerate --from 2026-11-01 --prices p.yaml'), {
      name: 'WrongUsage',
      message: /^Applying other prices to what was charged is not built\. Add --dry-run/,
    }));

  for (const line of [
    'rerate --prices p.yaml --dry-run',
    'rerate --from 2026-11-01 --dry-run',
    'rerate --from 2026-11-01 --prices p.yaml --dry-run --by account',
    'rerate --from 2026-11-01 --prices p.yaml --dry-run --by model,model',
    'rerate --from 2026-11-01 --prices p.yaml --dry-run --json --csv',
    'rerate --from 2026-11-01 --to 2026-11-01 --prices p.yaml --dry-run',
    '',
    'drop',
    'rebuild',
    'rebuild --verify all',
    'rebuild --verify --receipts r',
    'rebuild --verify --day 2026-11-18T12:00:00Z',
    'rebuild --verify --day 2026-02-30',
    'rebuild --verify --archive=',
    'archive --older-than 30',
    'archive --to /backup',
    'archive --older-than 6 --to /backup',
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
