import { deepEqual, equal } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

interface Answer {
  readonly service_tier: string | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
  };
}

async function served(body: object): Promise<{
  readonly answer: Answer;
  readonly microUsdPerToken: number;
  readonly tier: string | undefined;
}> {
  const reply = await routing.call({ input: 'Hello', ...body });
  equal(reply.status, 200);
  const answer = ('stream' in body
    ? (await eventsOf(reply)).at(-1)?.response
    : JSON.parse(await textOf(reply))) as unknown as Answer;
  const { input_tokens: input, output_tokens: output, cost } = answer.usage;
  const id = reply.headers['x-generation-id'];
  const fact = await eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    'the usage fact',
  );
  equal(Number(fact.costNanoUsd), Math.round(cost * 1e9));
  return {
    answer,
    microUsdPerToken: Math.round((cost * 1e6) / (input + output)),
    tier: fact.serviceTier,
  };
}

describe('the tier that served', () => {
  test.each([
    ['default', {}, 2],
    ['priority', { service_tier: 'priority' }, 4],
    ['flex', { service_tier: 'flex' }, 1],
    ['flex', { model: 'sim/tiers:floor', stream: true }, 1],
  ])('is %s for %j, and its price is charged', async (tier, body, price) => {
    const result = await served({ model: 'sim/tiers', ...body });
    deepEqual(
      [result.answer.service_tier, result.tier, result.microUsdPerToken],
      [tier, tier, price],
    );
  });

  test('is charged where the provider served the usual one in the place of a dearer one', async () => {
    const result = await served({
      model: 'sim/tiers',
      service_tier: 'priority',
      input: '[sim:usual-tier]',
      stream: true,
    });
    deepEqual(
      [result.answer.service_tier, result.tier, result.microUsdPerToken],
      ['default', 'default', 2],
    );
  });

  test('is not dearer than the endpoint that was called', async () => {
    const result = await served({
      model: 'sim/tiers',
      service_tier: 'flex',
      input: '[sim:usual-tier]',
    });
    deepEqual([result.answer.service_tier, result.microUsdPerToken], ['default', 1]);
  });

  test('is never asked of an endpoint that has it not: its price would not be the one charged', async () => {
    const { answer } = await served({ model: 'sim/chat', service_tier: 'priority' });
    equal(answer.service_tier, 'default');
  });

  test('is null where the provider tells none', async () => {
    const { answer, tier } = await served({ model: 'sim/gemini' });
    deepEqual([answer.service_tier, tier], [null, '']);
  });
});

describe('media', () => {
  test('of the input are counted in the usage fact', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const picture = { type: 'input_image', image_url: url, detail: 'auto' };
    const sound = { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } };
    const content = [{ type: 'input_text', text: 'x' }, picture, picture, sound];
    const reply = await routing.call({ model: 'sim/chat', input: [{ role: 'user', content }] });
    equal(reply.status, 200, await textOf(reply));
    const id = reply.headers['x-generation-id'];
    const fact = await eventually(
      () => routing.ledger.facts.find(({ generationId }) => generationId === id),
      'the usage fact',
    );
    deepEqual([fact.specialTokens['inputMedia'], fact.specialTokens['inputAudio']], ['3', '1']);
  });
});
