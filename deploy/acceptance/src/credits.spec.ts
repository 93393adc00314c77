import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, manage } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { sluice } from './sluice.ts';

let instance: Running;
beforeAll(async () => {
  instance = await sharedInstance({ creditsUsd: '0.001' });
});

const credits = (words: string) =>
  sluice(instance, [
    'credits',
    ...words.split(' '),
    '--account',
    instance.bootstrap.organization_id,
  ]);
const totalCredits = async () =>
  Number((await manage(instance, '/credits')).body['data']?.['total_credits']);
const isFreeTier = async (): Promise<unknown> =>
  (await json(instance, '/key')).body['data']?.['is_free_tier'];
const untilTotal = (usd: number) => eventually(totalCredits, (total) => total === usd);

/** More than the credits of the first start can pay for. */
const dear = { model: 'sim/echo', input: 'x', max_output_tokens: 4_000 };

describe('the credits of an account', () => {
  test('that cannot pay for a request can when some are granted, and it stays a free account', async () => {
    equal((await json(instance, '/responses', { body: dear })).status, 402);
    const { code, out, error } = await credits('grant 0.5 --reason gift --id gift-1');
    deepEqual([code, error], [0, '']);
    match(out, /^0\.50 USD granted to org_\S+ \(grant gift-1\)\.\n$/);
    await untilTotal(0.501);
    equal(await isFreeTier(), true);
    const asked = () => json(instance, '/responses', { body: dear });
    await eventually(asked, ({ status }) => status === 200);
  });

  test('are granted once under one id', async () => {
    equal((await credits('grant 0.5 --id gift-1')).code, 0);
    const { code, error } = await credits('grant 0.6 --id gift-1');
    equal(code, 1);
    match(error, /^This is refused: The grant was made with another amount\.\n$/);
    // The facts of an account come in order: once the next one is counted, these two would be.
    equal((await credits('grant 0.499 --id gift-2')).code, 0);
    await untilTotal(1);
  });

  test('are bought and refunded, but never more than was bought', async () => {
    equal((await credits('purchase 25.000000001 --id pay-1 --reason invoice')).code, 0);
    await untilTotal(26.000000001);
    await eventually(isFreeTier, (free) => free === false);
    const tooMuch = await credits('refund 25.000000002 --purchase pay-1');
    deepEqual([tooMuch.code, tooMuch.out], [1, '']);
    match(tooMuch.error, /not refunded yet/);
    equal((await credits('refund 1 --purchase gift-1')).code, 1);
    equal((await credits('refund 25.000000001 --purchase pay-1 --id back-1')).code, 0);
    equal((await credits('refund 25.000000001 --purchase pay-1 --id back-1')).code, 0);
    await untilTotal(1);
    equal((await credits('refund 0.000000001 --purchase pay-1')).code, 1);
    equal(await isFreeTier(), false);
  });

  test('are shown as the API shows them', async () => {
    const { code, out } = await credits('show');
    equal(code, 0);
    const { total_usage: used } = (await manage(instance, '/credits')).body['data'] ?? {};
    const usd = (nano: number) => (nano / 1e9).toFixed(9).replace(/(\.\d\d\d*?)0*$/, '$1');
    const usedNano = Math.round(Number(used) * 1e9);
    deepEqual(out.split('\n'), [
      'Credits  1.00 USD',
      `Used     ${usd(usedNano)} USD`,
      `Left     ${usd(1e9 - usedNano)} USD`,
      '',
    ]);
  });

  test('of an account that nobody opened cannot be changed', async () => {
    for (const words of ['grant 5', 'purchase 5', 'show']) {
      const all = ['credits', ...words.split(' '), '--account', 'nobody'];
      const { code, error } = await sluice(instance, all);
      deepEqual([code, error], [1, 'This is refused: There is no such account.\n']);
    }
  });
});
