import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { nanoUsdToNumber } from '@sluice/inference';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import type { InputStage } from '../../stages/stage.ts';
import { textRequest } from '../../testing/text-request.ts';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const price = 5_000_000n;
let ends: 'well' | 'badly' | 'never' = 'well';
let asks = false;
/** The hashes of the keys whose work ran. */
const ran = new Set<string>();

/** Pays an engine before the model is asked, and asks a model if it is to. */
const paying: InputStage = {
  at: 'input',
  name: 'paying',
  async run(call, { work, principal }) {
    if (!work || call.user !== 'paid') return { call };
    const asked = {
      type: 'plugin:paying',
      engine: 'engine',
      worstNanoUsd: 2n * price,
      timeoutMs: ends === 'never' ? 10 : 60_000,
      call,
    } as const;
    const ended = await work.run(asked, async ({ usageId, ask }) => {
      ran.add(principal.keyHash);
      if (ends === 'badly') throw new Error('broken');
      if (ends === 'never') return await new Promise<never>(() => {});
      if (asks) await ask({ model: 'sim/echo', items: textRequest('judge').items });
      return { result: usageId, isFailed: false, charge: { costNanoUsd: price } };
    });
    if (isRejection(ended)) return { ...ended, reports: [] };
    const cost_usd = nanoUsdToNumber(ended.costNanoUsd);
    const summary = ended.result ?? 'failed';
    return { call, reports: [{ type: 'plugin', name: 'paying', summary, cost_usd }] };
  },
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ stages: [paying] });
});
afterAll(() => routing.stop());
afterEach(() => {
  ends = 'well';
  asks = false;
});

interface Answer {
  readonly id: string;
  readonly usage: { readonly cost: number };
  readonly service_metadata: {
    readonly pipeline: readonly { readonly cost_usd: number; readonly summary: string }[];
  };
}

async function answerTo(body: object, facts: number) {
  const before = routing.ledger.facts.length;
  const reply = await routing.call(
    { model: 'sim/echo', input: 'hi', user: 'paid', ...body },
    { client: { wantsMetadata: true } },
  );
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await eventually(() => {
    const found = routing.ledger.facts.slice(before);
    return found.length >= facts ? found : undefined;
  }, 'the facts');
  return { answer: JSON.parse(text) as Answer, facts: all };
}

describe('the paid work of a stage', () => {
  test('has a hold and a fact, and is a part of the usage and of the pipeline', async () => {
    const { answer, facts } = await answerTo({}, 2);
    const [stage] = answer.service_metadata.pipeline;
    ok(stage);
    equal(stage.cost_usd, nanoUsdToNumber(price));
    const fact = facts.find(({ usageId }) => usageId === stage.summary);
    ok(fact);
    equal(fact.costNanoUsd, price);
    equal(fact.holdNanoUsd, 2n * price);
    equal(fact.toolType, 'plugin:paying');
    equal(new Set(facts.map(({ generationId }) => generationId)).size, 1);
    const cost = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    equal(answer.usage.cost, nanoUsdToNumber(cost));
  });

  test('may ask models, which are paid for like all else', async () => {
    asks = true;
    const { answer, facts } = await answerTo({}, 3);
    const cost = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    equal(answer.usage.cost, nanoUsdToNumber(cost));
    const [stage] = answer.service_metadata.pipeline;
    ok(stage && stage.cost_usd > nanoUsdToNumber(price));
    deepEqual(facts.map(({ usageId }) => usageId.replace(/^gen-[^/]*/, 'gen')).toSorted(), [
      'gen/1/1',
      'gen/tool/1',
      'gen/tool/1/1/1/1',
    ]);
  });

  test('is numbered before the calls of tools', async () => {
    const { facts } = await answerTo(
      { input: 'call service_datetime', tools: [{ type: 'service:datetime' }] },
      4,
    );
    const ofTools = facts.filter(({ apiType }) => apiType === 'tool');
    deepEqual(
      ofTools
        .map(({ usageId, toolType }) => `${usageId.replace(/^[^/]*/, '')} ${toolType}`)
        .toSorted(),
      ['/tool/1 plugin:paying', '/tool/2 service:datetime'],
    );
  });

  test.each(['badly', 'never'] as const)('that ends %s does not end the request', async (how) => {
    ends = how;
    const { answer, facts } = await answerTo({}, 2);
    equal(answer.service_metadata.pipeline[0]?.summary, 'failed');
    ok(facts.some(({ toolType, outcome }) => toolType === 'plugin:paying' && outcome === 'failed'));
  });

  test('does not run without a budget for its worst case', async () => {
    const principal = { ...somebody, keyHash: 'small', limitNanoUsd: price };
    const body = { model: 'sim/echo', input: 'hi', user: 'paid' };
    equal((await routing.call(body, { principal })).status, 402);
    equal(ran.has('small'), false);
  });

  test('is nothing for a request that is only counted', async () => {
    const principal = { ...somebody, keyHash: 'counting' };
    const messages = [{ role: 'user', content: 'hi' }];
    const body = { model: 'sim/messages', max_tokens: 10, messages, user: 'paid' };
    const reply = await routing.call(body, { dialect: 'count-tokens', principal });
    equal(reply.status, 200);
    equal(ran.has('counting'), false);
  });
});
