import { equal, match, ok } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { checkedFetch } from '@sluice/testing/response-stream';
import { beforeAll, describe, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { ofItsApi, sluice } from './sluice.ts';

let instance: Running;
beforeAll(async () => {
  instance = await sharedInstance();
});

async function respond(body: object, headers: Readonly<Record<string, string>> = {}) {
  const { base_url: baseUrl, api_key: key } = instance.bootstrap;
  return await checkedFetch(`${baseUrl}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: 'Hello', ...body }),
  });
}

async function explained(generationId: string): Promise<string> {
  return await eventually(async () => {
    const { code, out, error } = await sluice(
      instance,
      ['explain', generationId],
      ofItsApi(instance),
    );
    equal(code, 0, error);
    return out;
  });
}

describe('why a request went where it went', () => {
  test('is told by `sluice explain` from the record of its generation', async () => {
    const provider = { sort: 'price', ignore: ['sim-a'] };
    const reply = await respond({ model: 'sim/trio', provider });
    equal(reply.status, 200);
    const text = await explained(reply.headers.get('x-generation-id') ?? '');
    match(text, /Asked for sim\/trio \(direct\)\./);
    match(text, /out {3}sim\/trio at sim-a\/us-east: allowed_providers/);
    match(text, /1\. {2}sim\/trio at sim-b: sort by price/);
    match(text, /Tried sim-b: 200 after \d+ ms\./);
    match(text, /Served by sim-b as sim\/trio: \d+ tokens in, \d+ out, 0\.\d{9} USD, stop\./);
  });

  test('is told of the choice of a router: evidence, candidates, scores, and who was left out', async () => {
    const plugins = [{ id: 'auto-router', cost_tier: 'max', excluded_models: ['sim/echo'] }];
    const reply = await respond({ model: 'service/auto', input: 'Write a parser', plugins });
    equal(reply.status, 200);
    const text = await explained(reply.headers.get('x-generation-id') ?? '');
    match(text, /Asked for service\/auto \(auto\)\./);
    match(text, /The router service\/auto chose sim\/\S+ for code:generation\./);
    match(text, /^ {2}task_type: code:generation$/m);
    match(text, /^ {2}evidence: .*parser/m);
    match(text, /^ {2}cost_percentiles: \d+, 100$/m);
    match(text, /^ {2}candidate sim\/\S+, place \d+, price [\d.]+$/m);
    match(text, /^ {2}excluded_by_patterns: sim\/echo$/m);
    match(text, /^ {2}left out {2}by_patterns 1, (?:other_costs|cannot_serve) \d+, /m);
    match(text, /^ {2}out {3}sim\/\S+ at \S+: router$/m);
  });

  test('is told of a choice by chance, with its seed', async () => {
    const plugins = [{ id: 'switchyard-router', algorithm: 'random' }];
    const reply = await respond({ model: 'service/switchyard', plugins });
    equal(reply.status, 200);
    const text = await explained(reply.headers.get('x-generation-id') ?? '');
    match(text, /The router service\/switchyard chose sim\/\S+: /);
    match(text, /^ {2}algorithm: random$/m);
    match(text, /^ {2}seed: \d+$/m);
    match(text, /^ {2}candidate tier capable, sim\/\S+, price [\d.]+/m);
    match(text, /^ {2}left out {2}cannot_serve_or_other_tier \d+$/m);
    const drawn = await respond({ model: 'sim/trio' });
    const order = await explained(drawn.headers.get('x-generation-id') ?? '');
    match(order, /1\. {2}sim\/trio at \S+: load balancing, drawn with seed \d+/);
  });

  test('is told in the answer to the client that asks for it in a header', async () => {
    const asked = await respond({ model: 'sim/trio' }, { 'X-Service-Metadata': 'Enabled' });
    const { service_metadata: metadata } = (await asked.json()) as {
      readonly service_metadata?: { readonly endpoints: { readonly total: number } };
    };
    equal(metadata?.endpoints.total, 3);
    const silent = (await (await respond({ model: 'sim/trio' })).json()) as object;
    ok(!('service_metadata' in silent));
  });

  test('is told of a request that everybody failed', async () => {
    const reply = await respond({ model: 'sim/trio', input: '[sim:error-500]' });
    equal(reply.status, 503);
    const text = await explained(reply.headers.get('x-generation-id') ?? '');
    match(text, /Asked for sim\/trio \(direct\)\./);
    equal(text.match(/Tried sim-\w: 502 after \d+ ms\./g)?.length, 3);
    match(text, /Nobody answered, and nothing was charged\./);
  });

  test('is told of a request that nobody may serve', async () => {
    const reply = await respond({ model: 'sim/trio', provider: { only: ['elsewhere'] } });
    equal(reply.status, 404);
    const { error } = (await reply.json()) as {
      readonly error: { readonly availability: { readonly code: string } };
    };
    equal(error.availability.code, 'no_endpoints');
  });
});
