import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

function parse(line: string) {
  const asked = parseCommandLine(['credits', ...line.split(' ')]);
  return asked.name === 'credits' ? asked.command : asked;
}

describe('the words of a credits command', () => {
  test('name an amount, an account and what it is for', () => {
    const entry = { accountId: 'org_1', amountNanoUsd: 2_500_000_000n };
    deepEqual(parse('grant 2.5 --account org_1'), {
      name: 'grant',
      ...entry,
      reason: '',
      id: undefined,
    });
    deepEqual(parse('purchase --account=org_1 --reason invoice --id pay_1 2.5'), {
      name: 'purchase',
      ...entry,
      reason: 'invoice',
      id: 'pay_1',
    });
    deepEqual(parse('refund 2.5 --purchase pay_1 --account org_1 --id back_1'), {
      name: 'refund',
      purchaseId: 'pay_1',
      ...entry,
      reason: '',
      id: 'back_1',
    });
    deepEqual(parse('show --account org_1'), { name: 'show', accountId: 'org_1' });
  });

  for (const [line, sentence] of [
    ['take 5 --account a', 'Unknown command "take".'],
    ['grant 5', 'Required option "--account <id>" not specified.'],
    ['grant 5 --account=', '--account needs a value.'],
    ['grant --account a', 'Missing required argument "USD".'],
    [
      'grant 5 6 --account a',
      'Too many arguments for "grant". Expected 1 argument but got 2: 5, 6.',
    ],
    ['grant 0 --account a', '"0" is no amount of USD above 0 with at most 9 decimal places.'],
    ['grant 1e3 --account a', '"1e3" is no amount of USD above 0 with at most 9 decimal places.'],
    ['grant 5 --account a --purchase p', 'Unknown option "--purchase".'],
    ['refund 5 --account a', 'Required option "--purchase <id>" not specified.'],
    ['show --account a --id b', 'Unknown option "--id".'],
    ['show --account a --compare', 'Unknown option "--compare".'],
  ] as const)
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(() => parse(line), { name: 'WrongUsage', message: sentence }));
});
