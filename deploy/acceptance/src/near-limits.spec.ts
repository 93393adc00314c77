import { equal, ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, test } from 'vitest';
import { json, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** Asks with a key of its own that has such a limit. */
async function keyOf(limit: number) {
  const { body } = await manage(sluice, '/keys', { body: { name: `limit ${limit}`, limit } });
  const key = text(body['key']);
  return (more: object = {}) =>
    json(sluice, '/responses', {
      key,
      body: { model: 'sim/echo', input: 'Say something nice, you.', ...more },
    });
}
/** The cost of such a request, and its least hold: its bytes and eight tokens of output. */
const costUsd = 0.000_024;
const leastHoldUsd = 0.000_04;

describe('a key near its limit', () => {
  test.each([0.000_48, 0.001])(
    'of %d is not refused while the worst case of one request fits',
    async (limit) => {
      const ask = await keyOf(limit);
      let spent = 0;
      for (;;) {
        const { status } = await ask();
        if (status !== 200) {
          equal(status, 402);
          break;
        }
        spent += costUsd;
      }
      ok(limit - spent < leastHoldUsd, `${spent} of ${limit} was spent`);
      ok(spent <= limit + 1e-12);
    },
  );

  test('serves twenty requests at once whose cost fits, though not all of their holds do', async () => {
    const ask = await keyOf(0.001);
    const served = async (): Promise<number> => {
      const { status, headers } = await ask({ max_output_tokens: 50 });
      // On a slow machine a request may wait for the others in vain. Then the answer says when to come again.
      if (status !== 402 || headers.get('retry-after') === null) return status;
      await delay(Number(headers.get('retry-after')) * 1_000);
      return await served();
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, served));
    equal(statuses.join(), Array.from({ length: 20 }, () => 200).join());
  });
});
