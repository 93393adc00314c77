import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

function parse(line: string) {
  const asked = parseCommandLine(['analytics', 'verify', ...line.split(' ').filter(Boolean)]);
  return asked.name === 'analytics-verify' ? asked.command : asked;
}

describe('the words behind analytics verify', () => {
  test('name days or hours that have ended, and an account', () => {
    const accountId = 'acct_1';
    deepEqual(parse('--from 2026-01-01 --to 2026-01-02T10:00:00Z --account acct_1'), {
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-01-02T10:00:00Z'),
      accountId,
    });
    deepEqual(
      parse('--from 2026-01-01T09:00Z --to 2026-01-01T10:00Z'),
      parse('--from 2026-01-01T09:00:00Z --to 2026-01-01T10:00:00.000Z'),
    );
    deepEqual(parse('--to 2026-01-08'), {
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-01-08T00:00:00Z'),
      accountId: undefined,
    });
  });

  test('mean seven whole days when there are none', () => {
    const asked = parse('');
    if (!('from' in asked)) throw new Error('another command');
    equal(asked.to.getTime() - asked.from.getTime(), 7 * 86_400_000);
    equal(asked.to.getTime() % 86_400_000, 0);
  });

  test.each([
    '--from today',
    '--from 2026-02-30',
    '--from 2026-01-02 --to 2026-01-02',
    '--from 2026-01-02T10:30:00Z --to 2026-01-03',
    '--from 2026-01-02 --to 9999-01-01',
    '--account a/b',
    '--account=',
    'all',
  ])('are refused when they are %j', (line) => throws(() => parse(line), { name: 'WrongUsage' }));
});
