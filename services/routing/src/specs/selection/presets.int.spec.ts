import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import type { CanonicalCall } from '../../request/call.ts';
import type { InputStage } from '../../stages/stage.ts';
import { doors } from '../../testing/doors.ts';
import type { InMemoryPreset } from '../../testing/in-memory-policies.ts';
import {
  type CallOptions,
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const seen: CanonicalCall[] = [];
/** Notes the calls that stages see. */
const noting: InputStage = {
  at: 'input',
  name: 'noting',
  run: async (call) => {
    seen.push(call);
    return { call };
  },
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ stages: [noting] });
});
afterAll(() => routing.stop());
beforeEach(() => void (seen.length = 0));

let workspaces = 0;
/** Returns a caller of a new workspace with this preset: no earlier one is known. */
function having(preset: InMemoryPreset, slug = 'support') {
  workspaces += 1;
  const principal = { ...somebody, workspaceId: `workspace-${String(workspaces)}` };
  const { accountId, workspaceId } = principal;
  routing.policies.presets.set(`${accountId} ${workspaceId} ${slug}`, preset);
  return principal;
}

async function ask(body: object, options: CallOptions) {
  const reply = await routing.call(body, options);
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const [call] = seen.splice(0);
  ok(call);
  return { call, headers: reply.headers, text };
}

async function refusal(body: object, options: CallOptions) {
  const reply = await routing.call(body, options);
  const { message, metadata } = await errorOf(reply);
  const issues = (metadata as { issues?: readonly { path: string }[] } | undefined)?.issues ?? [];
  return { status: reply.status, message, paths: issues.map(({ path }) => path) };
}

function systemOf({ inference }: CanonicalCall): readonly string[] {
  return inference.items.flatMap((item) =>
    item.type === 'message' && item.role !== 'user'
      ? item.content.flatMap((part) => (part.type === 'text' ? part.text : []))
      : [],
  );
}

const places = [
  ['the field `preset`', { preset: 'support' }],
  ['the name of a model', { model: '@preset/support' }],
  ['a list of models', { models: ['@preset/support'] }],
] as const;
const tool = { type: 'function', name: 'lookup', parameters: { type: 'object' } };
const config = {
  model: 'sim/echo',
  temperature: 0.25,
  max_output_tokens: 77,
  tools: [tool],
  provider: { ignore: ['nobody'] },
};

describe.each(doors)('a preset at $dialect', ({ dialect, asks }) => {
  const bare = () => {
    const body: Record<string, unknown> = { ...asks('hi') };
    for (const name of ['max_output_tokens', 'max_completion_tokens', 'max_tokens'])
      if (dialect !== 'messages') delete body[name];
    return body;
  };

  test.each(places)('is named by %s, and gives the request its fields', async (_place, names) => {
    const principal = having({ config, systemPrompt: 'Be brief.' });
    const { call } = await ask({ ...bare(), ...names }, { dialect, principal });
    const { inference, preferences, preset } = call;
    deepEqual(preferences.models, ['sim/echo']);
    deepEqual([inference.temperature, preferences.ignore], [0.25, ['nobody']]);
    equal(inference.maxOutputTokens, dialect === 'messages' ? 900 : 77);
    deepEqual(
      inference.tools.map((one) => one.type === 'function' && one.name),
      ['lookup'],
    );
    deepEqual(systemOf(call), ['Be brief.']);
    deepEqual([preset?.id, preset?.version], ['preset-support', 1]);
  });

  test('gives way to the fields of the request', async () => {
    const principal = having({ config, systemPrompt: 'Be brief.' });
    const before = [{ role: 'system', content: 'Be long.' }] as const;
    const system = dialect === 'messages' ? { system: 'Be long.' } : {};
    const instructed = dialect === 'responses' ? { instructions: 'Be long.' } : system;
    const body = {
      ...asks('hi', dialect === 'chat-completions' ? before : []),
      ...instructed,
      temperature: 0.75,
      provider: { ignore: ['others'] },
      model: 'sim/chat@preset/support',
    };
    const { call } = await ask(body, { dialect, principal });
    deepEqual(call.preferences.models, ['sim/chat']);
    deepEqual([call.inference.temperature, call.preferences.ignore], [0.75, ['others']]);
    equal(call.inference.maxOutputTokens, 900);
    deepEqual(systemOf(call), ['Be long.']);
  });

  test('that does not exist, or is of another account or workspace, is a 404 at its place', async () => {
    const principal = having({ config });
    const wrong = [
      { ...principal, accountId: 'other' },
      { ...principal, workspaceId: 'another' },
    ];
    for (const one of wrong) {
      const body = { ...asks('hi'), preset: 'support' };
      const { status, message, paths } = await refusal(body, { dialect, principal: one });
      deepEqual([status, message], [404, 'there is no preset "support"']);
      if (dialect !== 'messages') deepEqual(paths, ['preset']);
    }
    const long = 'x'.repeat(100_000);
    for (const [path, names] of [
      ['preset', { preset: long }],
      ['preset', { preset: '' }],
      ['model', { model: '@preset/none' }],
      ['model', { model: 'sim/echo@preset/../support' }],
      ['models[1]', { models: ['sim/echo', 'sim/chat@preset/none'] }],
    ] as const) {
      const { status, message, paths } = await refusal(
        { ...asks('hi'), ...names },
        { dialect, principal },
      );
      equal(status, 404);
      ok(message.length < 200);
      if (dialect !== 'messages') deepEqual(paths, [path]);
    }
  });

  test('is one for the whole request', async () => {
    const principal = having({ config });
    const names = { preset: 'support', models: ['sim/echo@preset/support'] };
    deepEqual(
      (await ask({ ...asks('hi'), ...names }, { dialect, principal })).call.preferences.models,
      ['sim/echo'],
    );
    const two = { preset: 'support', model: 'sim/echo@preset/other' };
    const { status, paths } = await refusal({ ...asks('hi'), ...two }, { dialect, principal });
    equal(status, 400);
    if (dialect !== 'messages') deepEqual(paths, ['model']);
  });

  test('is named by the metadata and by the record of the generation', async () => {
    const principal = having({ config, version: 3 });
    const client = { wantsMetadata: true } as const;
    const body = { ...asks('hi'), model: 'sim/echo@preset/support' };
    const { text, headers } = await ask(body, { dialect, principal, client });
    match(text, /"requested":"sim\/echo@preset\/support"/);
    match(text, /"preset":"support","preset_version":3/);
    const id = headers['x-generation-id'] ?? '';
    const fact = await eventually(
      () => routing.ledger.facts.find(({ generationId }) => generationId === id),
      `the fact of ${id}`,
    );
    const { preset } = JSON.parse(fact.routing) as { preset: unknown };
    deepEqual(preset, { id: 'preset-support', slug: 'support', version: 3 });
  });
});

test.each([
  ['embeddings', { input: 'hi' }, 'sim/embedding'],
  ['rerank', { query: 'a', documents: ['b'] }, 'sim/rerank'],
  ['count-tokens', { messages: [{ role: 'user', content: 'hi' }] }, 'sim/echo'],
] as const)('a preset gives %s its model', async (dialect, body, model) => {
  const principal = having({ config: { model, temperature: 0 }, systemPrompt: 'Be brief.' });
  const { call } = await ask({ ...body, model: '@preset/support' }, { dialect, principal });
  deepEqual(call.preferences.models, [model]);
  const named = await ask({ ...body, preset: 'support' }, { dialect, principal });
  deepEqual(named.call.preferences.models, [model]);
});

test('a problem is told at its place in the request, or as one of the preset', async () => {
  const search = { type: 'service:web_search', parameters: { max_results: 2 } };
  const principal = having({ config: { temperature: 1.5, tools: [search, tool] } });
  const wrong = { type: 'function', name: 'a b' };
  const responses = { model: 'sim/echo', input: 'hi', preset: 'support', tools: [wrong] };
  const { status, paths } = await refusal(responses, { principal });
  deepEqual([status, paths], [400, ['tools[0].name']]);
  const messages = [{ role: 'user', content: 'hi' }];
  const message = { model: 'sim/echo', max_tokens: 9, messages, preset: 'support' };
  const late = await refusal(message, { principal, dialect: 'messages' });
  equal(late.status, 400);
  match(late.message, /preset\.temperature: must be at most 1/);
});

test('a field that the format of the request lacks is named in a warning', async () => {
  const principal = having({ config: { model: 'sim/echo', stop: ['END'] } });
  const { headers } = await ask({ input: 'hi', preset: 'support' }, { principal });
  match(headers['x-service-warnings'] ?? '', /unknown field stop/);
  const chat = { messages: [{ role: 'user', content: 'hi' }], preset: 'support' };
  const { call } = await ask(chat, { principal, dialect: 'chat-completions' });
  deepEqual(call.inference.options?.stop, ['END']);
});

test('numbers of the tools of a request pass as they were written', async () => {
  const principal = having({ config: { model: 'sim/echo', tools: [tool] } });
  const text = `{"input":"hi","preset":"support","tools":[{"type":"function","name":"f","parameters":{"type":"object","const":12345678901234567890}}]}`;
  const reply = await routing.callBytes(Buffer.from(text), { principal });
  equal(reply.status, 200, await textOf(reply));
  match(JSON.stringify(seen[0]?.inference.tools), /12345678901234567890/);
});

test('a request without a preset asks for none, and one with it asks once', async () => {
  const principal = having({ config });
  const asked = async (body: object) => {
    const before = routing.policies.timesAsked;
    await ask({ input: 'hi', ...body }, { principal });
    return routing.policies.timesAsked - before;
  };
  equal(await asked({ model: 'sim/echo' }), 2);
  equal(await asked({ model: 'sim/echo' }), 0);
  equal(await asked({ preset: 'support' }), 1);
  equal(await asked({ preset: 'support' }), 0);
});

describe('the cache fields of a preset', () => {
  const say = (text: string) => ({ input: text, preset: 'support' });
  const statusOf = async (body: object, options: CallOptions) => {
    const reply = await routing.call(body, options);
    equal(reply.status, 200, await textOf(reply));
    return [reply.headers['x-service-cache-status'], reply.headers['x-service-cache-ttl']];
  };
  const on = { cache_enabled: true, cache_ttl_seconds: 60 };
  const cached = (isOn: boolean, more = {}) => ({ client: { cache: { isOn, ...more } } });

  test('switch the cache on, for their time', async () => {
    const principal = having({ config: { ...config, ...on } });
    deepEqual(await statusOf(say('a'), { principal }), ['MISS', '60']);
    deepEqual((await statusOf(say('a'), { principal }))[0], 'HIT');
  });

  test('give way to the headers', async () => {
    const principal = having({ config: { ...config, ...on } });
    deepEqual(await statusOf(say('b'), { principal, ...cached(false) }), [undefined, undefined]);
    const longer = cached(true, { ttlSeconds: 90 });
    deepEqual(await statusOf(say('b'), { principal, ...longer }), ['MISS', '90']);
    const { isOn: _isOn, ...ttl } = longer.client.cache;
    deepEqual(await statusOf(say('c'), { principal, client: { cache: ttl } }), ['MISS', '90']);
  });

  test('switch it off for good', async () => {
    const principal = having({ config: { ...config, cache_enabled: false } });
    deepEqual(await statusOf(say('d'), { principal, ...cached(true) }), [undefined, undefined]);
  });

  test('another version of the preset makes another answer', async () => {
    const principal = having({ config: { ...config, ...on } });
    await statusOf(say('e'), { principal });
    const { accountId, workspaceId } = principal;
    const next = { config: { ...config, ...on }, version: 2 };
    routing.policies.presets.set(`${accountId} ${workspaceId} other`, next);
    deepEqual((await statusOf({ input: 'e', preset: 'other' }, { principal }))[0], 'MISS');
  });
});
