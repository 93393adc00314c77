import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { alike, ask, type Asked, doors, everywhere, first, refusal, responses } from './doors.ts';
import { eventually, json, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const askOnce = (asked: Asked) => ask(sluice, responses, false, asked);
const askAll = (asked: Asked) => everywhere(sluice, asked);

async function keyWith(body: object): Promise<{ readonly key: string; readonly hash: string }> {
  const made = await manage(sluice, '/keys', { body: { name: 'of a door', ...body } });
  return { key: text(made.body['key']), hash: text(made.body['data']?.['hash']) };
}

/** A key to which a guardrail applies. */
async function guarded(guardrail: object): Promise<string> {
  const body = { name: 'of a door', ...guardrail };
  const made = await manage(sluice, '/guardrails', { body });
  equal(made.status, 201, JSON.stringify(made.body));
  const { key, hash } = await keyWith({});
  const path = `/guardrails/${text(made.body['data']?.['id'])}/assignments/keys`;
  const assigned = await manage(sluice, path, { body: { key_hashes: [hash] } });
  equal(assigned.status, 200, JSON.stringify(assigned.body));
  return key;
}

const generationOf = async (id: string) => {
  const path = `/generation?id=${id}`;
  const found = await eventually(
    () => json(sluice, path),
    ({ status }) => status === 200,
  );
  return found.body['data'] ?? {};
};

/** Facts of each request alone. */
const own = ['id', 'request_id', 'upstream_id', 'created_at', 'latency', 'generation_time'];
const ownOfStreams = ['streamed', 'provider_responses', 'routing', 'turns'];

describe('whichever door a request takes', () => {
  test('its record is the same, and its session stays where it was served', async () => {
    const fields = {
      session_id: 'session-1',
      user: 'user-7',
      trace: { environment: 'test' },
    };
    const headers = { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' };
    const answers = await askAll({ content: 'hello', fields, headers });
    equal(
      alike(answers.map(({ status, text: said }) => `${status} ${said}`)),
      '200 You said: hello',
    );
    const records = await Promise.all(answers.map(({ id }) => generationOf(id)));
    const common = alike(
      records.map((record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name]) => ![...own, ...ownOfStreams].includes(name)),
        ),
      ),
    );
    deepEqual(
      ['session_id', 'external_user', 'app', 'finish_reason', 'trace'].map((name) => common[name]),
      ['session-1', 'user-7', 'Claude Code', 'stop', { environment: 'test' }],
    );
    deepEqual(
      records.map(({ streamed }) => streamed),
      doors.flatMap(() => [false, true]),
    );
    // The session stays where its first request was served, at each door.
    deepEqual(
      records.map(({ routing }) => first(routing?.['order'])?.['reason']),
      ['load balancing', ...Array.from({ length: 5 }, () => 'sticky')],
    );
  });

  test('a filter redacts the question, or blocks it', async () => {
    const filter = (action: string) => ({ content_filter_builtins: [{ slug: 'email', action }] });
    const content = 'I am ada@example.com';
    const redacting = await guarded(filter('redact'));
    await eventually(
      () => askOnce({ content, key: redacting }),
      (answer) => answer.status === 200 && !answer.text.includes('ada@'),
    );
    const redacted = alike(
      (await askAll({ content, key: redacting })).map((answer) => answer.text),
    );
    match(redacted, /^You said: I am \[/);
    const blocking = await guarded(filter('block'));
    await eventually(
      () => askOnce({ content, key: blocking }),
      ({ status }) => status === 403,
    );
    const blocked = refusal(await askAll({ content, key: blocking }), 'permission_error');
    deepEqual(blocked.slice(0, 2), [403, 'permission_denied']);
  });

  test('a model that a guardrail does not allow is refused', async () => {
    const key = await guarded({ allowed_models: ['sim/chat'] });
    await eventually(
      () => askOnce({ content: 'x', key }),
      ({ status }) => status === 403,
    );
    const refused = refusal(await askAll({ content: 'x', key }), 'permission_error');
    deepEqual(refused.slice(0, 2), [403, 'permission_denied']);
    const allowed = await askAll({ content: 'x', key, model: 'sim/chat' });
    equal(alike(allowed.map((answer) => answer.text)), 'You said: x');
  });

  test('a key with too little left is told so, and pays nothing', async () => {
    const { key, hash } = await keyWith({ limit: 0.000_001 });
    const refused = refusal(await askAll({ content: 'x', key }), 'billing_error');
    deepEqual(refused.slice(0, 2), [402, 'payment_required']);
    match(text(refused[2]), /Key limit of \$0\.000001/);
    const { body } = await manage(sluice, `/keys/${hash}`);
    equal(body['data']?.['usage'], 0);
  });

  test('a workspace whose budget is used up is told so', async () => {
    const workspace = { name: 'of the doors', slug: 'of-the-doors' };
    const made = await manage(sluice, '/workspaces', { body: workspace });
    const { key } = await keyWith({ workspace_id: text(made.body['data']?.['id']) });
    const budget = await manage(sluice, `/workspaces/${workspace.slug}/budgets/lifetime`, {
      method: 'PUT',
      body: { limit_usd: 0.000_000_001 },
    });
    equal(budget.status, 200, JSON.stringify(budget.body));
    await eventually(
      () => askOnce({ content: 'x', key }),
      ({ status }) => status === 403,
    );
    const refused = refusal(await askAll({ content: 'x', key }), 'permission_error');
    deepEqual(refused.slice(0, 2), [403, 'permission_denied']);
    match(text(refused[2]), /^Workspace lifetime budget of \$0\.000000001/);
  });

  test('how it was routed is told at the end of its answer to a client that asks for it', async () => {
    const headers = { 'x-service-metadata': 'enabled' };
    const answers = await askAll({ content: 'hello', headers });
    const routed = alike(
      answers.map(({ serviceMetadata = {} }) => {
        const { generation_time: timeMs, ...facts } = serviceMetadata;
        equal(typeof timeMs, 'number');
        return facts;
      }),
    );
    deepEqual(
      [routed['requested'], routed['strategy'], routed['attempts']],
      ['sim/echo', 'direct', [{ provider: 'simulator', model: 'sim/echo', status: 200 }]],
    );
    const failed = await askAll({ content: '[sim:error-503]', headers });
    const attempts = alike(failed.map(({ serviceMetadata }) => serviceMetadata?.['attempts']));
    equal(first(attempts)?.['status'], 503);
    const silent = await askAll({ content: 'hello' });
    equal(alike(silent.map(({ serviceMetadata }) => serviceMetadata ?? 'none')), 'none');
  });

  test.each([
    ['[sim:error-429]', 429, 'rate_limit_error'],
    ['[sim:error-503]', 503, 'overloaded_error'],
    ['[sim:error-529]', 529, 'overloaded_error'],
    ['[sim:too-long]', 400, 'invalid_request_error'],
  ])('a provider that answers %s is told alike', async (content, status, kind) => {
    const answers = await askAll({ content });
    equal(refusal(answers, kind)[0], status);
    alike(answers.map(({ headers }) => headers.get('retry-after')));
  });
});
