import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCreditsCommand } from './command.ts';

const parse = (line: string) => parseCreditsCommand(line === '' ? [] : line.split(' '));

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
    ['', 'credits what? grant, purchase, refund or show.'],
    ['take 5 --account a', 'There is no command credits "take".'],
    ['grant 5', 'credits grant needs --account.'],
    ['grant 5 --account=', 'credits grant needs --account.'],
    ['grant --account a', 'credits grant needs an amount of USD.'],
    ['grant 5 6 --account a', 'credits grant takes one amount.'],
    ['grant 0 --account a', '"0" is no amount of USD above 0 with at most 9 decimal places.'],
    ['grant 1e3 --account a', '"1e3" is no amount of USD above 0 with at most 9 decimal places.'],
    ['grant -5 --account a', "Unknown option '-5'."],
    ['grant 5 --account a --purchase p', 'credits grant takes no --purchase: that is of a refund.'],
    ['refund 5 --account a', 'credits refund needs --purchase.'],
    ['show --account a --id b', 'credits show takes --account and nothing more.'],
    ['show 5 --account a', 'credits show takes --account and nothing more.'],
    ['show --account a --compare', "Unknown option '--compare'."],
  ] as const)
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(() => parse(line), { name: 'WrongUsage', message: sentence }));
});
