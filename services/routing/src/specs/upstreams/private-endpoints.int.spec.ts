import { deepEqual, equal, ok } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import type { InferenceReply } from '@sluice/inference-port';
import type { ActiveEndpoint } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { Rules } from '@sluice/protos/sluice/guardrail/v1/policy';
import { afterEach, describe, test } from 'vitest';
import {
  errorOf,
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
afterEach(() => routing.stop());

const stranger = { ...somebody, accountId: 'stranger', keyHash: 'other' };
const endpointId = '0190a000-0000-7000-8000-0000000000e1';

const catalogFile = (url: string) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:
  - id: openai/echo
    canonical_slug: openai/echo-2026
    max_output_tokens: 1000
    endpoints:
      - { provider: openai, upstream_model: shared-echo, pricing: { prompt: '0.000001', completion: '0.000002' } }
`;

const endpointOf = (more: Partial<ActiveEndpoint> = {}): ActiveEndpoint => ({
  endpointId,
  modelPermaslug: 'openai/echo-2026',
  provider: 'openai',
  providerName: 'OpenAI',
  baseUrl: routing.simulator.url,
  upstreamModelId: 'own-echo',
  declaredZdr: undefined,
  declaredRegion: undefined,
  pricing: { prompt: '0.00001', completion: '0.00002' },
  ...more,
});
const credential = { provider: 'openai', secret: 'sk-own-key' };

async function open(more: Partial<ActiveEndpoint> = {}) {
  routing = await routingHarness({ catalogFile });
  routing.credentials.kept.set('c1', credential);
  routing.privateEndpoints.kept.set('account', [endpointOf(more)]);
}
const ask = async (body: object = {}, principal = somebody): Promise<InferenceReply> =>
  await routing.call(
    { model: 'openai/echo', input: 'hello', max_output_tokens: 100, ...body },
    { principal },
  );
async function served(body: object = {}, principal = somebody) {
  const reply = await ask(body, principal);
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const { model } = (await routing.receipts()).at(-1) ?? {};
  return model;
}
const counted = (number: number) =>
  eventually(
    () => (routing.ledger.facts.length >= number ? routing.ledger.facts : undefined),
    `${number} facts are counted`,
  );
const usable = async (principal: typeof somebody) => {
  const asked = { view: 'user-models', parameters: {}, reportsMeasured: false } as const;
  const reply = await routing.service.inference.readCatalog({ ...asked, principal });
  const { data } = JSON.parse(await textOf(reply)) as { data: { id: string }[] };
  return data.map(({ id }) => id).filter((id) => id === 'openai/echo');
};
const listed = async (principal?: typeof somebody) => {
  const reply = await routing.service.inference.readCatalog({
    view: 'endpoints',
    parameters: { author: 'openai', slug: 'echo' },
    reportsMeasured: principal !== undefined,
    ...(principal && { principal }),
  });
  const { data } = JSON.parse(await textOf(reply)) as { data: { endpoints: { tag: string }[] } };
  return data.endpoints.map(({ tag }) => tag);
};

describe('a private endpoint', () => {
  test('serves its organization before the shared ones, at its own rates', async () => {
    await open();
    equal(await served(), 'own-echo');
    const [fact] = await counted(1);
    ok(fact);
    deepEqual(
      [fact.isByok, fact.credentialId, fact.endpointId, fact.provider],
      [true, 'c1', endpointId, 'openai'],
    );
    equal(fact.costNanoUsd, fact.inputTokens * 10_000n + fact.outputTokens * 20_000n);
    deepEqual(
      [fact.prices['inputTokenAttoUsd'], fact.prices['outputTokenAttoUsd']],
      ['10000000000000', '20000000000000'],
    );
  });

  test('is there for nobody else: neither served, nor listed, nor billed', async () => {
    await open();
    equal(await served(), 'own-echo');
    equal(await served({}, stranger), 'shared-echo');
    deepEqual(await listed(somebody), ['openai/private', 'openai']);
    deepEqual(await listed(stranger), ['openai']);
    deepEqual(await listed(), ['openai']);
    const facts = await counted(2);
    deepEqual(
      facts.filter((fact) => fact.endpointId === endpointId).map(({ accountId }) => accountId),
      ['account'],
    );
  });

  test('is asked for only where there is a credential', async () => {
    await open();
    routing.credentials.kept.clear();
    equal(await served(), 'shared-echo');
    deepEqual(routing.privateEndpoints.asked, []);
  });

  test('is used and no longer used as soon as the notice has come', async () => {
    await open();
    routing.privateEndpoints.kept.clear();
    equal(await served(), 'shared-echo');
    const change = (isRevoked: boolean) =>
      routing.bus.publish(subjects.endpointsChanged('account'), {
        accountId: 'account',
        isRevoked,
      });
    routing.privateEndpoints.kept.set('account', [endpointOf()]);
    change(false);
    await eventually(async () => (await served()) === 'own-echo' || undefined, 'it is used');
    routing.privateEndpoints.kept.clear();
    change(true);
    await eventually(async () => (await served()) === 'shared-echo' || undefined, 'it is not used');
  });

  test('is used after its activation, and not after it is disabled, also if the notice is lost', async () => {
    await open();
    const { privateEndpoints } = routing;
    privateEndpoints.kept.clear();
    equal(await served(), 'shared-echo');
    /** Nothing is published: the change is in the answer of the account service alone. */
    const change = async (endpoints: ActiveEndpoint[], isRevoked: boolean) => {
      privateEndpoints.kept.set('account', endpoints);
      privateEndpoints.changed('account', isRevoked);
      const before = privateEndpoints.changesAsked;
      await eventually(() => privateEndpoints.changesAsked > before || undefined, 'it is asked');
    };
    for (let round = 0; round < 2; round++) {
      await change([endpointOf()], false);
      equal(await served(), 'own-echo');
      await change([], true);
      equal(await served(), 'shared-echo');
    }
  });

  test('is remembered while nothing changes, and nothing is asked about changes for others', async () => {
    await open();
    const { privateEndpoints, credentials } = routing;
    const counts = () => [privateEndpoints.asked.length, privateEndpoints.changesAsked];
    credentials.kept.clear();
    equal(await served(), 'shared-echo');
    // One question at the start.
    deepEqual(counts(), [0, 1]);
    credentials.kept.set('c1', credential);
    routing.bus.publish(subjects.credentialsChanged('account'), { accountId: 'account' });
    await eventually(async () => (await served()) === 'own-echo' || undefined, 'it is used');
    await eventually(() => privateEndpoints.changesAsked > 3 || undefined, 'changes are asked for');
    equal(await served(), 'own-echo');
    equal(privateEndpoints.asked.length, 1);
  });

  test('is used while the bus is away, as long as its changes are known', async () => {
    await open();
    const { privateEndpoints } = routing;
    equal(await served(), 'own-echo');
    routing.bus.setConnected(false);
    privateEndpoints.kept.clear();
    privateEndpoints.changed('account', true);
    const before = privateEndpoints.changesAsked;
    await eventually(() => privateEndpoints.changesAsked > before || undefined, 'it is asked');
    const { status } = await ask({ provider: { only: ['openai/private'] } });
    equal(status, 404);
  });

  test('bills each request at the rates with which it was held', async () => {
    await open({ upstreamModelId: 'own-echo-sim-wait-400' });
    const first = ask();
    await eventually(
      async () =>
        (await routing.receipts()).length > 0 ||
        routing.privateEndpoints.asked.length > 0 ||
        undefined,
      'it is asked',
    );
    const rates = { prompt: '0.0001', completion: '0.0002' };
    routing.privateEndpoints.kept.set('account', [endpointOf({ pricing: rates })]);
    routing.bus.publish(subjects.endpointsChanged('account'), { accountId: 'account' });
    equal((await first).status, 200);
    await textOf(await first);
    const priceOf = async (number: number) =>
      (await counted(number)).at(-1)?.prices['inputTokenAttoUsd'];
    equal(await priceOf(1), '10000000000000');
    await eventually(async () => {
      await textOf(await ask());
      const { length } = routing.ledger.facts;
      return (await priceOf(length)) === '100000000000000' || undefined;
    }, 'later requests have the other rates');
    for (const { costNanoUsd, inputTokens, outputTokens, prices } of routing.ledger.facts) {
      const atto = (name: string) => BigInt(prices[name] ?? '0');
      const cost =
        inputTokens * atto('inputTokenAttoUsd') + outputTokens * atto('outputTokenAttoUsd');
      equal(costNanoUsd, cost / 1_000_000_000n);
    }
  });

  test('is left for the shared ones when it fails', async () => {
    await open({ upstreamModelId: 'own-sim-error-503' });
    equal(await served(), 'shared-echo');
  });

  test('counts for limits that count own credentials, and for no others', async () => {
    await open();
    const limited = { ...somebody, limitNanoUsd: 1_000n };
    equal(await served({}, limited), 'own-echo');
    const refused = await ask({}, { ...limited, keyHash: 'strict', includeByokInLimit: true });
    equal(refused.status, 402);
    equal((await errorOf(refused)).metadata['reason'], 'key_limit_exceeded');
  });

  test.each([
    ['the workspace', 403, 'workspace_budget_exceeded'],
    ['a guardrail', 403, 'guardrail_budget_exceeded'],
  ])('is stopped by a budget of %s that counts own credentials', async (of, status, reason) => {
    for (const includesByok of [false, true]) {
      await open();
      routing.policies.includesByok = includesByok;
      if (of === 'the workspace') routing.policies.budgets.set('daily', 1_000n);
      else routing.policies.assigned.set('key key', { id: 'g1', limitNanoUsd: 1_000n });
      // Nothing else may serve: the shared endpoint is for credits, which every budget counts.
      const asked = { provider: { only: ['openai/private'] } };
      if (includesByok) {
        const refused = await ask(asked);
        const { metadata } = await errorOf(refused);
        deepEqual([refused.status, metadata['reason']], [status, reason]);
        return;
      }
      equal(await served(asked), 'own-echo');
      await routing.stop();
    }
  });

  test('keeps nothing as its organization declares', async () => {
    await open({ declaredZdr: true });
    equal(await served({ provider: { zdr: true } }), 'own-echo');
    routing.privateEndpoints.kept.set('account', [endpointOf({ declaredZdr: false })]);
    routing.bus.publish(subjects.endpointsChanged('account'), { accountId: 'account' });
    await eventually(async () => {
      const { status } = await ask({ provider: { zdr: true } });
      return status === 404 || undefined;
    }, 'zero retention excludes it');
  });

  test.each<[string, object, number]>([
    ['does not name its provider', { allowedProviders: { values: ['azure'] } }, 403],
    ['ignores its model', { ignoredModels: { values: ['openai/echo-2026'] } }, 403],
    ['wants zero retention', { zeroRetention: { openai: true } }, 200],
  ])('obeys a guardrail that %s', async (_what, some, status) => {
    await open({ declaredZdr: true });
    const rules = Rules.fromJSON(some);
    for (const of of ['key key', 'key other'])
      routing.policies.assigned.set(of, { id: 'g1', rules });
    const reply = await ask();
    equal(reply.status, status, await textOf(reply));
    // The shared endpoint keeps prompts.
    deepEqual(await usable(somebody), status === 200 ? ['openai/echo'] : []);
    deepEqual(await usable(stranger), []);
  });

  test('with a private address is not called, and no address of it is told', async () => {
    await open({ baseUrl: 'https://10.1.2.3/v1' });
    equal(await served(), 'shared-echo');
    const { status } = await ask({ provider: { only: ['openai/private'] } });
    ok(status >= 500, String(status));
  });

  test('does not answer while the account service is away', async () => {
    await open();
    routing.privateEndpoints.isUp = false;
    equal((await ask()).status, 503);
  });
});
