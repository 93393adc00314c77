import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { somebody } from '../../testing/routing-harness.ts';
import {
  errorOf,
  eventually,
  responseOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeEach(async () => {
  routing = await routingHarness();
});
afterEach(() => routing.stop());

async function served(body: object) {
  const reply = await routing.call(body);
  const response = (await responseOf(reply)) as unknown as { readonly model: string };
  equal(reply.status, 200, JSON.stringify(response));
  const id = `${reply.headers['x-generation-id'] ?? ''}/`;
  const fact = await eventually(
    () => routing.ledger.facts.find(({ usageId }) => usageId.startsWith(id)),
    'the usage fact',
  );
  return { model: response.model, provider: fact.provider, costNanoUsd: fact.costNanoUsd };
}

describe('a request', () => {
  test('is served and billed where its preferences lead it', async () => {
    const dear = await served({ model: 'sim/trio', input: 'x', provider: { order: ['sim-c'] } });
    equal(dear.provider, 'sim-c');
    const cheap = await served({ model: 'sim/trio', input: 'x', provider: { sort: 'price' } });
    equal(cheap.provider, 'sim-a');
    ok(dear.costNanoUsd > cheap.costNanoUsd);
  });

  test('falls back to the next model if the first one fails, and names the model that served', async () => {
    const body = { model: 'sim/sim-error-503', models: ['sim/echo'], input: 'x' };
    deepEqual((await served(body)).model, 'sim/echo');
  });

  test('for any free model is served by one that can do what it asks for, and costs nothing', async () => {
    equal((await routing.call({ model: 'service/free', input: 'x' })).status, 404);
    await routing.stop();
    routing = await routingHarness({
      catalogFile: (url) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:
  - id: a/toolless
    endpoints:
      - { provider: openai, upstream_model: echo, pricing: { prompt: '0', completion: '0' },
          supported_parameters: [temperature] }
  - id: a/able
    endpoints:
      - { provider: openai, upstream_model: echo, pricing: { prompt: '0', completion: '0' } }
`,
    });
    const tools = [{ type: 'function', name: 'f' }];
    const able = { model: 'a/able', provider: 'openai', costNanoUsd: 0n };
    deepEqual(await served({ model: 'service/free', input: 'x', tools }), able);
  });

  test('without a permitted endpoint is refused with the reason, and holds nothing', async () => {
    const reply = await routing.call({
      model: 'sim/trio',
      input: 'x',
      provider: { only: ['none'] },
    });
    equal(reply.status, 404);
    const { availability } = (await errorOf(reply)) as unknown as {
      readonly availability: Readonly<Record<string, unknown>>;
    };
    deepEqual(availability, {
      code: 'no_endpoints',
      retryable: false,
      requested_models: ['sim/trio'],
      docs_url: '/docs#model-availability',
      affected_providers: ['sim-a', 'sim-b', 'sim-c'],
      excluded_by: ['allowed_providers'],
      constraint: { field: 'provider', detail: 'allowed_providers' },
    });
    equal((await routing.receipts()).length, 0);
  });

  test('is bound by the guardrail of its key, before anything is sent', async () => {
    routing.policies.assigned.set(`key ${somebody.keyHash}`, {
      id: '01890000-0000-7000-8000-000000000000',
      rules: {
        allowedProviders: undefined,
        ignoredProviders: { values: ['sim-a', 'sim-b'] },
        allowedModels: undefined,
        ignoredModels: { values: ['sim/echo'] },
        zeroRetention: undefined,
        allowedDataRegions: undefined,
        builtinFilters: undefined,
        customFilters: undefined,
      },
    });
    const provider = { order: ['sim-a'] };
    equal((await served({ model: 'sim/trio', input: 'x', provider })).provider, 'sim-c');
    const asks = { client: { wantsMetadata: true } } as const;
    const refused = await routing.call({ model: 'sim/echo', input: 'x' }, asks);
    equal(refused.status, 403);
    const body = JSON.parse(await textOf(refused)) as Record<string, Record<string, unknown>>;
    deepEqual(body['error']?.['metadata'], {
      reason: 'model_not_allowed',
      error_type: 'permission_denied',
    });
    deepEqual(body['service_metadata']?.['endpoints'], { total: 1, available: [] });
    equal((await routing.receipts()).length, 1);
  });

  test('of a session stays with the endpoint that served it', async () => {
    const body = { model: 'sim/trio', input: 'x', session_id: 's' };
    await served({ ...body, provider: { order: ['sim-b'] } });
    for (let time = 0; time < 5; time += 1) equal((await served(body)).provider, 'sim-b');
  });

  test('that all endpoints refuse gets an error with each of them', async () => {
    const body = { model: 'sim/sim-error-503', models: ['sim/sim-error-500'], input: 'x' };
    const reply = await routing.call(body);
    equal(reply.status, 503);
    const { availability, metadata } = (await errorOf(reply)) as unknown as {
      readonly availability: { readonly code: string; readonly retryable: boolean };
      readonly metadata: { readonly previous_errors: readonly unknown[] };
    };
    deepEqual([availability.code, availability.retryable], ['temporarily_unavailable', true]);
    equal(metadata.previous_errors.length, 2);
  });
});
