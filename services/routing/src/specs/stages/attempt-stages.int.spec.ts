import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { AttemptStage, ResponseStage } from '../../stages/stage.ts';
import { textRequest } from '../../testing/text-request.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

const long = 'much more to say '.repeat(500);
const short = { role: 'user', content: 'hi' };
const input = [{ role: 'user', content: long }, short];
const report = { type: 'context_compression', name: 'shortening', summary: 'kept the last item' };

/** Sends its last item alone to one model, for users that ask for it. */
const shortening: ResponseStage<'attempt', AttemptStage> = {
  at: 'attempt',
  name: 'shortening',
  open: ({ user }) =>
    user === 'short'
      ? {
          forAttempt: (request, { model }) =>
            model.id === 'sim/messages'
              ? { request: { ...request, items: request.items.slice(-1) }, report }
              : { request },
        }
      : undefined,
};

/** Has a bug: it sends more than was held for. */
const growing: ResponseStage<'attempt', AttemptStage> = {
  at: 'attempt',
  name: 'growing',
  open: ({ user }) =>
    user === 'long'
      ? {
          forAttempt: (request) => ({
            request: { ...request, items: [...request.items, ...textRequest(long).items] },
          }),
        }
      : undefined,
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ stages: [shortening, growing] });
});
afterAll(() => routing.stop());

interface Answer {
  readonly usage: { readonly input_tokens: number };
  readonly service_metadata: { readonly pipeline?: readonly object[] };
}

async function answerTo(body: object) {
  const facts = routing.ledger.facts.length;
  const reply = await routing.call({ input, ...body }, { client: { wantsMetadata: true } });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const fact = await eventually(() => routing.ledger.facts[facts], 'the fact');
  return { answer: JSON.parse(text) as Answer, fact };
}

describe('a stage of attempts', () => {
  test('changes the request for its endpoint alone, and is reported if this one serves', async () => {
    const body = { model: 'sim/sim-error-503', models: ['sim/messages'] };
    const whole = await answerTo(body);
    equal(whole.answer.service_metadata.pipeline, undefined);
    const { answer, fact } = await answerTo({ ...body, user: 'short' });
    deepEqual(answer.service_metadata.pipeline, [report]);
    ok(answer.usage.input_tokens * 10 < whole.answer.usage.input_tokens);
    equal(fact.holdNanoUsd, whole.fact.holdNanoUsd, 'the hold is that of the whole request');
    ok(fact.costNanoUsd * 10n < whole.fact.costNanoUsd);
    const other = await answerTo({ model: 'sim/echo', user: 'short' });
    equal(other.answer.service_metadata.pipeline, undefined);
    equal(other.answer.usage.input_tokens, whole.answer.usage.input_tokens);
  });

  test('that sends more than is held ends the request: nothing is sent or kept', async () => {
    const before = (await routing.receipts()).length;
    const reply = await routing.call({ model: 'sim/echo', input, user: 'long' });
    equal(reply.status, 500);
    equal((await routing.receipts()).length, before);
    match(await routing.metrics(), /^spend_open\S* 0$/mu);
  });

  test('counts for the door that counts, too', async () => {
    const count = async (user: string) => {
      const body = { model: 'sim/messages', max_tokens: 10, messages: input, user };
      const text = await textOf(await routing.call(body, { dialect: 'count-tokens' }));
      return (JSON.parse(text) as { readonly input_tokens: number }).input_tokens;
    };
    ok((await count('short')) * 10 < (await count('other')));
  });
});
