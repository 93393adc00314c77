import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  type CallOptions,
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

type Aliases = RoutingHarness['policies']['modelAliases'];

let workspaces = 0;
/** Returns a caller of a new workspace with these aliases: no earlier policy is known. */
function having(...aliases: Aliases) {
  workspaces += 1;
  routing.policies.modelAliases = aliases;
  return { ...somebody, workspaceId: `workspace-${String(workspaces)}` };
}

interface Metadata {
  readonly requested: string;
  readonly strategy: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly endpoints: { readonly available: readonly { readonly model: string }[] };
}

const client = { wantsMetadata: true } as const;

async function ask(body: object, options: CallOptions) {
  const reply = await routing.call(body, { client, ...options });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const answer = JSON.parse(text) as { model: string; service_metadata?: Metadata };
  const id = reply.headers['x-generation-id'] ?? '';
  const fact = () =>
    eventually(
      () => routing.ledger.facts.find(({ generationId }) => generationId === id),
      `the fact of ${id}`,
    );
  return { ...answer, fact };
}

const team = (models: readonly string[], budgetModel?: string) => ({
  name: 'team/default',
  models,
  ...(budgetModel !== undefined && { budgetModel }),
});

describe.each(doors)('an alias at $dialect', ({ dialect, asks }) => {
  test('stands for the first of its models that serves', async () => {
    const principal = having(team(['nobody/gone', 'sim/chat', 'sim/echo']));
    const body = { ...asks('hi'), model: 'team/default' };
    const { model, service_metadata, fact } = await ask(body, { dialect, principal });
    equal(model, 'sim/chat');
    const { requested, strategy, params } = service_metadata ?? ({} as Metadata);
    deepEqual([requested, strategy], ['team/default', 'alias']);
    deepEqual(params, { alias: 'team/default', alias_version: 1 });
    const routed = JSON.parse((await fact()).routing) as Record<string, unknown>;
    deepEqual(routed['requested'], ['team/default']);
    deepEqual(routed['alias'], {
      name: 'team/default',
      version: 1,
      models: ['nobody/gone', 'sim/chat', 'sim/echo'],
      budget_model: null,
    });
  });

  test('may stand in a list of models, and beside others', async () => {
    const principal = having(team(['sim/chat']));
    const models = ['sim/echo', 'team/default'];
    const listed = await ask({ ...asks('hi'), models }, { dialect, principal });
    equal(listed.model, 'sim/echo');
    equal(listed.service_metadata?.strategy, 'direct');
    deepEqual(
      listed.service_metadata?.endpoints.available.map(({ model }) => model),
      ['sim/echo', 'sim/chat'],
    );
  });

  test('takes a suffix, and no other suffix', async () => {
    const principal = having(team(['sim/chat']));
    const options = { dialect, principal };
    equal((await ask({ ...asks('hi'), model: 'team/default:nitro' }, options)).model, 'sim/chat');
    const reply = await routing.call({ ...asks('hi'), model: 'team/default:bogus' }, options);
    equal(reply.status, 400);
    match((await errorOf(reply)).message, /team\/default:bogus/);
  });

  test('gives way to a model of its name, and is unknown elsewhere', async () => {
    const principal = having({ name: 'sim/echo', models: ['sim/chat'] });
    const options = { dialect, principal };
    equal((await ask({ ...asks('hi'), model: 'sim/echo' }, options)).model, 'sim/echo');
    const stranger = having();
    const body = { ...asks('hi'), model: 'team/default' };
    equal((await routing.call(body, { dialect, principal: stranger })).status, 400);
  });

  test('goes on with its cheaper model when a budget does not hold the others', async () => {
    const { key, cheap, dear } = await twoPrices(dialect, asks);
    const principal = { ...having(team([dear], cheap)), ...key };
    const body = { ...asks('hi'), model: 'team/default' };
    // The client does not ask for the metadata, and is told all the same.
    const { model, service_metadata, fact } = await ask(body, { dialect, principal, client: {} });
    equal(model, cheap);
    deepEqual(service_metadata?.params, {
      alias: 'team/default',
      alias_version: 1,
      budget_model: cheap,
      budget_refusal: 'token_limit_exceeded',
    });
    const { routing: text, model: served, costNanoUsd } = await fact();
    equal(served, cheap);
    ok(costNanoUsd <= key.limitNanoUsd);
    match(text, /"budget_refusal":"token_limit_exceeded"/);
    // Without such a model the request is refused, and one that fits in the budget goes to the usual model.
    const strict = { ...having(team([dear])), ...key, keyHash: 'strict' };
    equal((await routing.call(body, { dialect, principal: strict })).status, 402);
    const rich = { ...having(team([dear], cheap)), keyHash: 'rich' };
    const usual = await ask(body, { dialect, principal: rich });
    equal(usual.model, dear);
    equal(usual.service_metadata?.params?.['budget_model'], undefined);
  });
});

test('an answer of its cheaper model is not repeated once the budget holds the others', async () => {
  const asks = (input: string) => ({ input, max_output_tokens: 1_000 });
  const { key, cheap, dear } = await twoPrices('responses', asks);
  const principal = having(team([dear], cheap));
  const body = { ...asks('hi'), model: 'team/default' };
  const cached = { cache: { isOn: true } } as const;
  const status = async (of: typeof somebody) => {
    const reply = await routing.call(body, { principal: of, client: cached });
    const { model } = JSON.parse(await textOf(reply)) as { model: string };
    return [model, reply.headers['x-service-cache-status']];
  };
  deepEqual(await status({ ...principal, ...key }), [cheap, 'MISS']);
  const rich = { ...principal, keyHash: key.keyHash };
  deepEqual(await status(rich), [dear, 'MISS']);
  deepEqual(await status(rich), [dear, 'HIT']);
});

let keys = 0;
/** Returns a key whose limit holds an answer of the cheap model, and none of the dear one. */
async function twoPrices(dialect: CallOptions['dialect'], asks: (text: string) => object) {
  keys += 1;
  const [dear, cheap] = ['sim/trio', 'sim/echo'];
  const holdOf = async (model: string) => {
    const { fact } = await ask({ ...asks('hi'), model }, { dialect: dialect ?? 'responses' });
    return (await fact()).holdNanoUsd;
  };
  const [ofDear, ofCheap] = [await holdOf(dear), await holdOf(cheap)];
  ok(ofDear > ofCheap, `${String(ofDear)} > ${String(ofCheap)}`);
  const limitNanoUsd = (ofDear + ofCheap) / 2n;
  return { key: { keyHash: `key-${String(keys)}`, limitNanoUsd }, cheap, dear };
}

test('a request without an alias asks for nothing more, whatever aliases there are', async () => {
  const principal = having(team(['sim/chat']));
  const before = routing.policies.timesAsked;
  await ask({ input: 'hi', model: 'sim/echo' }, { principal });
  equal(routing.policies.timesAsked - before, 2);
  await ask({ input: 'hi', model: 'team/default' }, { principal });
  equal(routing.policies.timesAsked - before, 2);
});

test('the rules of guardrails hold for the models of an alias', async () => {
  const principal = { ...having(team(['sim/chat', 'sim/echo'], 'sim/messages')), keyHash: 'ruled' };
  const rules = { allowedModels: { values: ['sim/echo'] } } as never;
  routing.policies.assigned.set('key ruled', { id: 'g1', rules });
  const { model } = await ask({ input: 'hi', model: 'team/default' }, { principal });
  equal(model, 'sim/echo');
  const none = { ...having(team(['sim/chat'])), keyHash: 'ruled' };
  const reply = await routing.call({ input: 'hi', model: 'team/default' }, { principal: none });
  equal(reply.status, 403);
});

test('a router may be a model of an alias', async () => {
  const principal = having(team(['service/auto']));
  const { service_metadata } = await ask({ input: 'hi', model: 'team/default' }, { principal });
  equal(service_metadata?.strategy, 'alias');
});
