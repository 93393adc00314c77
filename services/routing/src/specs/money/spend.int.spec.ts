import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { InferenceReply } from '@sluice/inference-port';
import { afterEach, describe, test } from 'vitest';
import {
  errorOf,
  eventually,
  responseOf,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
afterEach(() => routing.stop());

const body = (more: object = {}) => ({ model: 'sim/echo', input: 'hello', ...more });
/** The hold of an input: its bytes, at a thousandth of a cent per token. */
const heldFor = (input: string) => BigInt(input.length) * 1_000n;
const inputHold = heldFor('hello');

describe('an account', () => {
  test('without credits gets 402', async () => {
    routing = await routingHarness({ creditsNanoUsd: 0n });
    const reply = await routing.call(body());
    equal(reply.status, 402);
    const { message, metadata } = await errorOf(reply);
    equal(message, 'Insufficient credits');
    const { needed_usd, ...rest } = metadata;
    deepEqual(rest, {
      reason: 'credits_exhausted',
      error_type: 'payment_required',
      left_usd: 0,
      held_usd: 0,
    });
    ok(Number(needed_usd) > 0);
    equal((await routing.receipts()).length, 0);
  });

  test('that bought credits is served at once', async () => {
    routing = await routingHarness({ creditsNanoUsd: 0n });
    equal((await routing.call(body())).status, 402);
    routing.ledger.setCredits(1_000_000_000n);
    await eventually(
      async () => (await routing.call(body())).status === 200 || undefined,
      'an answer after the purchase',
    );
  });

  test('that cannot afford the usual output gets what it can', async () => {
    routing = await routingHarness({ creditsNanoUsd: inputHold + 100n * 2_000n });
    const reply = await routing.call(body({ input: 'abc' }));
    const response = await responseOf(reply);
    equal(response.status, 'completed');
    equal(response.max_output_tokens, null);
  });

  test('that asks for more than it can afford gets the affordable amount in the refusal', async () => {
    const asked = body({ max_output_tokens: 1_000 });
    routing = await routingHarness({ creditsNanoUsd: inputHold + 100n * 2_000n + 1_999n });
    const reply = await routing.call(asked);
    equal(reply.status, 402);
    const { metadata } = await errorOf(reply);
    equal(metadata['error_type'], 'token_limit_exceeded');
    equal(metadata['affordable_output_tokens'], 100);
    equal((await routing.call({ ...asked, max_output_tokens: 99 })).status, 200);
  });

  test('cannot overspend with many requests at once', async () => {
    const creditsNanoUsd = 30_000_000n;
    routing = await routingHarness({ creditsNanoUsd });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        routing.call(
          body({
            input: `[sim:words-600] ${index}`,
            stream: index % 2 === 0,
            max_output_tokens: 1_000,
          }),
        ),
      ),
    );
    const texts = await Promise.all(replies.map(textOf));
    ok(replies.some(({ status }) => status === 200));
    ok(replies.some(({ status }) => status === 402));
    equal(texts.length, 40);
    const served = replies.filter(({ status }) => status === 200).length;
    await eventually(() => routing.ledger.facts.length === served || undefined, 'all facts');
    const used = routing.ledger.facts.reduce((sum, fact) => sum + fact.costNanoUsd, 0n);
    ok(used <= creditsNanoUsd, `${used}`);
  });
});

describe('a key', () => {
  const capped = { ...somebody, limitNanoUsd: 9_000_000n, limitReset: 'daily' as const };

  test('over its limit gets 402 with the moment of its reset', async () => {
    routing = await routingHarness();
    const principal = { ...capped, limitNanoUsd: 1_000n };
    const reply = await routing.call(body(), { principal });
    equal(reply.status, 402);
    const { message, metadata } = await errorOf(reply);
    match(
      message,
      /^Key limit of \$0.000001: \$0.000001 is left, and this request needs up to \$0/,
    );
    ok(Number(metadata['needed_usd']) > Number(metadata['left_usd']));
    equal(metadata['reason'], 'key_limit_exceeded');
    equal(metadata['interval'], 'daily');
    ok(String(metadata['resets_at']).endsWith('T00:00:00.000Z'));
  });

  test('is served until its limit is used up, across what the ledger has counted', async () => {
    routing = await routingHarness();
    let served = 0;
    for (;;) {
      const reply = await routing.call(body({ input: '[sim:words-300]' }), { principal: capped });
      await textOf(reply);
      if (reply.status !== 200) break;
      served += 1;
      ok(served < 100);
    }
    ok(served > 2);
    await eventually(() => routing.ledger.facts.length === served || undefined, 'all facts');
    const used = routing.ledger.facts.reduce((sum, fact) => sum + fact.costNanoUsd, 0n);
    ok(used <= capped.limitNanoUsd);
  });
});

describe('near a limit', () => {
  const limitNanoUsd = 1_000_000n;
  const capped = { ...somebody, limitNanoUsd };
  /** The worst case of the smallest answer that is given to a client that names no limit. */
  const leastHold = inputHold + 8n * 2_000n;

  test.each([{}, { max_output_tokens: 20 }])(
    'nothing is refused one after the other while the worst case fits: %o',
    async (more) => {
      routing = await routingHarness();
      let left = limitNanoUsd;
      let served = 0;
      for (;;) {
        const reply = await routing.call(body({ input: 'hello', ...more }), { principal: capped });
        if (reply.status !== 200) {
          equal(reply.status, 402);
          const named = 'max_output_tokens' in more ? 12n * 2_000n : 0n;
          ok(left < leastHold + named, `${left} was left after ${served}`);
          break;
        }
        const { usage } = await responseOf(reply);
        left -= BigInt(Math.round((usage?.cost ?? 0) * 1e9));
        served += 1;
        ok(served < 200);
      }
      ok(served > 50, `${served} were served`);
    },
  );

  test('of twenty at once those that fit are served, the others when these have ended', async () => {
    routing = await routingHarness();
    const asked = { input: '[sim:wait-20]', max_output_tokens: 50 };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => routing.call(body(asked), { principal: capped })),
    );
    deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  });

  test('of twenty at once that run for long those are served that fit, and the others know how long to wait', async () => {
    routing = await routingHarness({ limits: { statusHeldMs: 100 } });
    const asked = { input: '[sim:hang]', max_output_tokens: 50, stream: true };
    const hold = heldFor(asked.input) + 50n * 2_000n;
    const fitting = Number(limitNanoUsd / hold);
    const leaving = new AbortController();
    const refused: InferenceReply[] = [];
    const calls = Array.from({ length: 20 }, async () => {
      const reply = await routing.call(body(asked), { principal: capped, signal: leaving.signal });
      if (reply.status !== 200) refused.push(reply);
    });
    await eventually(() => refused.length === 20 - fitting || undefined, 'all refusals');
    ok(fitting > 0 && refused.length > 0);
    for (const reply of refused) {
      equal(reply.status, 402);
      equal(reply.headers['retry-after'], '1');
      const { message, metadata } = await errorOf(reply);
      match(message, /is held by running requests/);
      ok(Number(metadata['held_usd']) > 0);
    }
    leaving.abort();
    await Promise.allSettled(calls);
  });
});

describe('the ledger', () => {
  test('is asked once for a key that is in use, not for each request', async () => {
    routing = await routingHarness();
    for (let count = 0; count < 50; count += 1) await textOf(await routing.call(body()));
    ok(routing.ledger.timesAsked <= 10, `${routing.ledger.timesAsked}`);
  });

  test('that is away does not stop known keys, but refuses unknown ones', async () => {
    routing = await routingHarness();
    equal((await routing.call(body())).status, 200);
    routing.ledger.isUp = false;
    equal((await routing.call(body())).status, 200);
    const stranger = { ...somebody, accountId: 'stranger', keyHash: 'strange' };
    const reply = await routing.call(body(), { principal: stranger });
    equal(reply.status, 503);
    equal(reply.headers['retry-after'], '1');
    routing.ledger.isUp = true;
  });
});
