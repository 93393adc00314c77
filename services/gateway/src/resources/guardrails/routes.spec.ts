import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId, type TestReply } from '../../testing/gateway-world.ts';

const dataOf = ({ json }: TestReply) => json['data'] as Record<string, unknown>;
const listOf = ({ json }: TestReply) => json['data'] as Record<string, unknown>[];
const pathsOf = ({ json }: TestReply) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    ({ path }) => path,
  );

const nothing = {
  description: null,
  workspace_id: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  allowed_providers: null,
  ignored_providers: null,
  allowed_models: null,
  ignored_models: null,
  enforce_zdr_anthropic: null,
  enforce_zdr_openai: null,
  enforce_zdr_google: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null,
  enforce_zdr: null,
  enable_paid_model_training: null,
  enable_free_model_training: null,
  enable_free_model_publication: null,
  allowed_data_regions: null,
  content_filter_builtins: null,
  content_filters: null,
  scan_output: null,
  fail_mode: null,
  updated_at: null,
};

async function world() {
  const { request, management, regular } = await gatewayWorld();
  const key = management().secret;
  const send = (line: string, body?: object) =>
    request(line, body === undefined ? { key } : { key, body });
  const make = async (body: object = {}) => {
    const reply = await send('POST /v1/guardrails', { name: 'Research', ...body });
    equal(reply.status, 201, reply.text);
    return dataOf(reply);
  };
  return { send, make, request, management, regular };
}

describe('POST /v1/guardrails', () => {
  test('makes one that demands nothing', async () => {
    const { id: _id, created_at: _at, ...view } = await (await world()).make();
    deepEqual(view, { name: 'Research', ...nothing });
  });

  test('refuses half a character wherever it stands, instead of another one in its place', async () => {
    const { send } = await world();
    const half = 'a\ud800';
    const reply = await send('POST /v1/guardrails', {
      name: 'Research',
      description: half,
      content_filters: [
        { pattern: 'a', action: 'flag' },
        { pattern: half, action: 'flag', label: half },
      ],
    });
    equal(reply.status, 400, reply.text);
    deepEqual(pathsOf(reply), [
      'description',
      'content_filters.1.pattern',
      'content_filters.1.label',
    ]);
  });

  test('shows all that it was given', async () => {
    const body = {
      description: 'ours',
      limit_usd: 12.345678901,
      reset_interval: 'weekly',
      include_byok_in_budgets: true,
      allowed_providers: ['openai'],
      ignored_providers: ['groq'],
      allowed_models: ['a/b'],
      ignored_models: ['a/c'],
      enforce_zdr_xai: false,
      enable_paid_model_training: false,
      allowed_data_regions: ['europe'],
      scan_output: 'sentence',
      fail_mode: 'block',
    };
    const view = await (await world()).make(body);
    for (const [name, value] of Object.entries(body)) deepEqual(view[name], value, name);
  });

  test('copies enforce_zdr to the families that are left out, and forgets it', async () => {
    const view = await (await world()).make({ enforce_zdr: true, enforce_zdr_openai: false });
    const zdr = Object.entries(view).filter(([name]) => name.startsWith('enforce_zdr'));
    deepEqual(Object.fromEntries(zdr), {
      enforce_zdr_anthropic: true,
      enforce_zdr_openai: false,
      enforce_zdr_google: true,
      enforce_zdr_xai: true,
      enforce_zdr_other: true,
      enforce_zdr: null,
    });
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, 'name'],
    ['a long description', { description: 'd'.repeat(1_001) }, 'description'],
    ['a limit of 0', { limit_usd: 0 }, 'limit_usd'],
    ['a negative limit', { limit_usd: -1 }, 'limit_usd'],
    ['a limit as text', { limit_usd: '1' }, 'limit_usd'],
    ['a limit of 10 places', { limit_usd: 1e-10 }, 'limit_usd'],
    ['another interval', { reset_interval: 'lifetime' }, 'reset_interval'],
    ['no provider at all', { allowed_providers: [] }, 'allowed_providers'],
    ['a provider as text', { ignored_providers: 'openai' }, 'ignored_providers'],
    ['no model at all', { allowed_models: [] }, 'allowed_models'],
    ['no model to ignore', { ignored_models: [] }, 'ignored_models'],
    ['a number as a model', { allowed_models: [1] }, 'allowed_models.0'],
    ['a text for a flag', { enforce_zdr_openai: 'true' }, 'enforce_zdr_openai'],
    ['no region at all', { allowed_data_regions: [] }, 'allowed_data_regions'],
    ['another region', { allowed_data_regions: ['moon'] }, 'allowed_data_regions.0'],
    [
      'another builtin filter',
      { content_filter_builtins: [{ slug: 'iban', action: 'block' }] },
      'content_filter_builtins.0.slug',
    ],
    [
      'a filter without an action',
      { content_filter_builtins: [{ slug: 'email' }] },
      'content_filter_builtins.0.action',
    ],
    [
      'an empty pattern',
      { content_filters: [{ pattern: '', action: 'block' }] },
      'content_filters.0.pattern',
    ],
    [
      'an unknown field of a filter',
      { content_filters: [{ pattern: 'x', action: 'block', flags: 'i' }] },
      'content_filters.0.flags',
    ],
    ['another unit of output', { scan_output: 'word' }, 'scan_output'],
    ['another fail mode', { fail_mode: 'retry' }, 'fail_mode'],
    ['a workspace that is no UUID', { workspace_id: 'default' }, 'workspace_id'],
    ['an unknown field', { is_default: true }, 'is_default'],
  ])('refuses %s, and says where', async (_what, body, path) => {
    const { send } = await world();
    const reply = await send('POST /v1/guardrails', { name: 'Research', ...body });
    equal(reply.status, 400, reply.text);
    deepEqual(pathsOf(reply), [path]);
    deepEqual(listOf(await send('GET /v1/guardrails')), []);
  });
});

describe('content filters', () => {
  const content_filters = [{ pattern: 'x', action: 'flag', label: null }];
  const content_filter_builtins = [
    { slug: 'email', action: 'redact', label: 'whatever' },
    { slug: 'regex-prompt-injection', action: 'block', scan_scope: 'user_only' },
  ];
  const shown = {
    content_filters: [content_filters[0]],
    content_filter_builtins: [
      { slug: 'email', action: 'redact', label: '[EMAIL]' },
      {
        slug: 'regex-prompt-injection',
        action: 'block',
        scan_scope: 'user_only',
        label: '[PROMPT_INJECTION]',
      },
    ],
  };

  test('are shown with their labels, wherever the guardrail is, and may be sent back', async () => {
    const { send, make } = await world();
    const { id } = await make({ content_filters, content_filter_builtins });
    const url = `/v1/guardrails/${String(id)}`;
    const replies = [
      dataOf(await send(`GET ${url}`)),
      listOf(await send('GET /v1/guardrails'))[0],
      dataOf(await send(`PATCH ${url}`, shown)),
    ];
    for (const view of replies)
      deepEqual(
        [view?.['content_filters'], view?.['content_filter_builtins']],
        [shown.content_filters, shown.content_filter_builtins],
      );
  });
});

describe('the test of a guardrail', () => {
  test('shows what is found, and the strongest action', async () => {
    const { send, make } = await world();
    const content_filters = [
      { pattern: 'a+', action: 'flag', label: 'A' },
      { pattern: 'b', action: 'block' },
    ];
    const { id } = await make({ content_filters });
    const url = `/v1/guardrails/${String(id)}/test`;
    const found = dataOf(await send(`POST ${url}`, { text: 'caab', role: 'tool' }));
    deepEqual(found, {
      action: 'blocked',
      detections: [
        { filter: 'custom', label: 'A', action: 'flag', pattern: 'custom', start: 1, end: 3 },
        {
          filter: 'custom',
          label: '[BLOCKED]',
          action: 'block',
          pattern: 'custom',
          start: 3,
          end: 4,
        },
      ],
      detections_omitted: 0,
      redacted_text: 'caab',
      timed_out: false,
    });
    equal(dataOf(await send(`POST ${url}`, { text: 'c' }))?.['action'], 'passed');
  });

  test.each([{}, { text: '' }, { text: 1 }, { text: 'a', role: 'nobody' }, { text: 'a', b: 1 }])(
    'refuses the body %o',
    async (body) => {
      const { send, make } = await world();
      const { id } = await make();
      equal((await send(`POST /v1/guardrails/${String(id)}/test`, body)).status, 400);
    },
  );
});

describe('the other routes of a guardrail', () => {
  test('read, change and delete it', async () => {
    const { send, make } = await world();
    const { id, ...made } = await make({
      limit_usd: 1,
      reset_interval: 'daily',
      enforce_zdr: true,
    });
    const url = `/v1/guardrails/${String(id)}`;
    deepEqual(dataOf(await send(`GET ${url}`)), { id, ...made });
    const changed = await send(`PATCH ${url}`, { name: 'Other', limit_usd: 2 });
    equal(changed.status, 200);
    const { name, limit_usd, reset_interval } = dataOf(changed);
    deepEqual([name, limit_usd, reset_interval], ['Other', 2, 'daily']);
    deepEqual((await send(`DELETE ${url}`)).json, { deleted: true });
    for (const line of [`GET ${url}`, `DELETE ${url}`]) equal((await send(line)).status, 404);
    equal((await send(`PATCH ${url}`, {})).status, 404);
  });

  test('take a choice away with null, and keep it when it is left out', async () => {
    const { send, make } = await world();
    const { id } = await make({ scan_output: 'end', fail_mode: 'pass' });
    const url = `PATCH /v1/guardrails/${String(id)}`;
    const modesOf = ({ scan_output, fail_mode }: Record<string, unknown>) => [
      scan_output,
      fail_mode,
    ];
    deepEqual(modesOf(dataOf(await send(url, { name: 'Other' }))), ['end', 'pass']);
    const cleared = await send(url, { scan_output: null, fail_mode: null });
    deepEqual(modesOf(dataOf(cleared)), [null, null]);
    const refused = await send(url, { fail_mode: 'flag' });
    deepEqual([refused.status, pathsOf(refused)], [400, ['fail_mode']]);
  });

  test('answer an id that is none as the contract lists it', async () => {
    const { send } = await world();
    equal((await send('GET /v1/guardrails/x')).status, 404);
    equal((await send('DELETE /v1/guardrails/x')).status, 404);
    equal((await send('PATCH /v1/guardrails/x', {})).status, 400);
    equal((await send('GET /v1/guardrails/x/assignments/keys')).status, 400);
  });

  test.each([
    ['a workspace', { workspace_id: '11111111-1111-4111-8111-111111111111' }],
    ['an id', { id: '11111111-1111-4111-8111-111111111111' }],
    ['null as a name', { name: null }],
    ['null for a boolean', { include_byok_in_budgets: null }],
  ])('do not change to %s', async (_what, body) => {
    const { send, make } = await world();
    equal((await send(`PATCH /v1/guardrails/${String((await make())['id'])}`, body)).status, 400);
  });

  test('show nothing to another account', async () => {
    const { make } = await world();
    const { id } = await make();
    const { request, management } = await gatewayWorld();
    const key = management({ accountId: personalId }).secret;
    equal((await request(`GET /v1/guardrails/${String(id)}`, { key })).status, 404);
  });

  test('list pages, newest first, put together from as many answers as it takes', async () => {
    const { send, make } = await world();
    const made: unknown[] = [];
    for (let count = 0; count < 4; count++) made.unshift((await make())['id']);
    const page = await send('GET /v1/guardrails?offset=1&limit=2');
    deepEqual(
      listOf(page).map(({ id }) => id),
      made.slice(1, 3),
    );
    equal(page.json['total_count'], 4);
    const past = await send('GET /v1/guardrails?offset=9');
    deepEqual(past.json, { data: [], total_count: 4 });
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'workspace_id=x', 'page=1'])
      equal((await send(`GET /v1/guardrails?${query}`)).status, 400, query);
  });
});

describe('assignments', () => {
  const hash = 'ab'.repeat(32);

  test('to keys are made, listed and removed', async () => {
    const { send, make } = await world();
    const { id } = await make();
    const url = `/v1/guardrails/${String(id)}/assignments/keys`;
    const body = { key_hashes: [hash] };
    deepEqual((await send(`POST ${url}`, body)).json, { assigned_count: 1 });
    const list = await send(`GET ${url}`);
    const { id: _id, created_at: _at, ...view } = listOf(list)[0] ?? {};
    const names = { key_hash: hash, key_name: 'a key', key_label: 'sk-…' };
    deepEqual(view, { guardrail_id: id, ...names, assigned_by: null });
    deepEqual((await send('GET /v1/guardrails/assignments/keys')).json, list.json);
    deepEqual((await send(`POST ${url}/remove`, body)).json, { unassigned_count: 1 });
    deepEqual((await send(`POST ${url}/remove`, body)).json, { unassigned_count: 0 });
    deepEqual((await send(`GET ${url}`)).json, { data: [], total_count: 0 });
  });

  test('to members are made, listed and removed', async () => {
    const { send, make } = await world();
    const { id } = await make();
    const url = `/v1/guardrails/${String(id)}/assignments/members`;
    const body = { member_user_ids: ['user_1'] };
    deepEqual((await send(`POST ${url}`, body)).json, { assigned_count: 1 });
    const list = await send(`GET ${url}`);
    const { id: _id, created_at: _at, ...view } = listOf(list)[0] ?? {};
    const of = { user_id: 'user_1', organization_id: 'org_1' };
    deepEqual(view, { guardrail_id: id, ...of, assigned_by: null });
    deepEqual((await send('GET /v1/guardrails/assignments/members')).json, list.json);
    deepEqual((await send(`POST ${url}/remove`, body)).json, { unassigned_count: 1 });
  });

  test('to members are for organizations only; their lists are not', async () => {
    const { request, management } = await gatewayWorld();
    const key = management({ accountId: personalId }).secret;
    const made = await request('POST /v1/guardrails', { key, body: { name: 'mine' } });
    const url = `/v1/guardrails/${String(dataOf(made)['id'])}/assignments/members`;
    const body = { member_user_ids: [personalId] };
    equal((await request(`POST ${url}`, { key, body })).status, 404);
    equal((await request(`POST ${url}/remove`, { key, body })).status, 404);
    equal((await request(`GET ${url}`, { key })).status, 200);
  });

  test.each([
    ['keys', {}],
    ['keys', { key_hashes: [] }],
    ['keys', { key_hashes: Array.from({ length: 101 }, () => hash) }],
    ['keys', { key_hashes: [1] }],
    ['keys', { key_hashes: [hash], guardrail_id: 'x' }],
    ['members', { member_user_ids: [] }],
    ['members', { key_hashes: [hash] }],
  ])('of %s are refused by schema: %o', async (what, body) => {
    const { send, make } = await world();
    const url = `/v1/guardrails/${String((await make())['id'])}/assignments/${what}`;
    equal((await send(`POST ${url}`, body)).status, 400);
    equal((await send(`POST ${url}/remove`, body)).status, 400);
  });
});

describe('the allowed phrases', () => {
  test('are replaced as a whole', async () => {
    const { send } = await world();
    const path = '/v1/guardrails/allowed-phrases';
    deepEqual(dataOf(await send(`GET ${path}`)), { phrases: [] });
    deepEqual(dataOf(await send(`PUT ${path}`, { phrases: ['a', 'b'] })), { phrases: ['a', 'b'] });
    deepEqual(dataOf(await send(`GET ${path}`)), { phrases: ['a', 'b'] });
  });

  test.each([
    [{}, ['phrases']],
    [{ phrases: 'a' }, ['phrases']],
    [{ phrases: [''] }, ['phrases.0']],
    [{ phrases: Array.from({ length: 201 }, (_, index) => `p${index}`) }, ['phrases']],
    [{ phrases: [], more: 1 }, ['more']],
  ])('are refused as %j', async (body, paths) => {
    const { send } = await world();
    const reply = await send('PUT /v1/guardrails/allowed-phrases', body);
    equal(reply.status, 400);
    deepEqual(pathsOf(reply), paths);
  });
});

describe('the setting for unsupported features', () => {
  const path = '/v1/guardrails/unsupported-features';

  test('is lenient at first, then as it was set, for this account alone', async () => {
    const { send, request, management, regular } = await world();
    const others = ['org_2', personalId].map((accountId) => management({ accountId }).secret);
    deepEqual(dataOf(await send(`GET ${path}`)), { unsupported_features: 'lenient' });
    for (const mode of ['strict', 'strict', 'lenient', 'strict']) {
      const body = { unsupported_features: mode };
      deepEqual(dataOf(await send(`PUT ${path}`, body)), body);
      deepEqual(dataOf(await send(`GET ${path}`)), body);
    }
    for (const key of others)
      deepEqual(dataOf(await request(`GET ${path}`, { key })), { unsupported_features: 'lenient' });
    const { secret: key } = regular();
    equal((await request(`GET ${path}`, { key })).status, 403);
    const body = { unsupported_features: 'lenient' };
    equal((await request(`PUT ${path}`, { key, body })).status, 403);
  });

  test.each([
    [{}, ['unsupported_features']],
    [{ unsupported_features: 'Strict' }, ['unsupported_features']],
    [{ unsupported_features: 'strict', more: 1 }, ['more']],
  ])('is refused as %j', async (body, paths) => {
    const { send } = await world();
    const reply = await send(`PUT ${path}`, body);
    equal(reply.status, 400);
    deepEqual(pathsOf(reply), paths);
    deepEqual(dataOf(await send(`GET ${path}`)), { unsupported_features: 'lenient' });
  });
});
