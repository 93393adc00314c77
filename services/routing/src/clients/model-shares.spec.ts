import { deepEqual, equal } from 'node:assert/strict';
import { createLogger } from '@sluice/logging';
import { describe, test } from 'vitest';
import { ModelShares } from './model-shares.ts';

const minuteMs = 60_000;

function sharesOf(answers: readonly (object | Error)[]) {
  let atMs = 0;
  let asked = 0;
  const shares = new ModelShares({
    clock: { now: () => new Date(atMs), steadyMs: () => atMs },
    logger: createLogger({ service: 'spec', level: 'silent' }),
    ledger: {
      async listModelShares() {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        if (answer instanceof Error) throw answer;
        return answer as never;
      },
    },
  });
  return {
    find: async (account = 'a') => {
      shares.find(account);
      await new Promise<void>((resolve) => void setImmediate(resolve));
      return shares.find(account);
    },
    later: (minutes: number) => void (atMs += minutes * minuteMs),
    asked: () => asked,
  };
}

const two = {
  shares: [
    { model: 'a/x', share: 0.7 },
    { model: 'a/y', share: 0.3 },
  ],
  onlyAccountId: '',
};

describe('the shares of models', () => {
  test('are asked for once in ten minutes, and kept when the ledger is gone', async () => {
    const { find, later, asked } = sharesOf([two, new Error('gone')]);
    deepEqual(
      [...((await find()) ?? [])],
      [
        ['a/x', 0.7],
        ['a/y', 0.3],
      ],
    );
    later(9);
    await find();
    equal(asked(), 1);
    later(2);
    equal((await find())?.size, 2);
    equal(asked(), 2);
    later(24 * 60);
    equal(await find(), undefined);
  });

  test('of a single account are for that account alone', async () => {
    const { find } = sharesOf([{ ...two, onlyAccountId: 'a' }]);
    equal((await find('a'))?.size, 2);
    equal(await find('b'), undefined);
  });

  test('are none while none are known', async () => {
    equal(await sharesOf([{ shares: [], onlyAccountId: '' }]).find(), undefined);
    equal(await sharesOf([new Error('gone')]).find(), undefined);
  });
});
