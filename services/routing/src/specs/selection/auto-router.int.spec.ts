import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { doors, responses } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const model = (id: string, upstream: string, usd: number) => `
  - id: ${id}
    endpoints:
      - { provider: openai, upstream_model: ${upstream},
          pricing: { prompt: '${(usd / 1e6).toFixed(9)}', completion: '${(usd / 1e6).toFixed(9)}' } }`;

const catalogFile = (url: string) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:${model('anthropic/claude-broken', 'sim-error-503', 1)}${model('qwen/coder', 'echo', 2)}
${model('google/gemini-x', 'echo', 3)}${model('openai/gpt-5', 'echo', 8)}${model('nobody/other', 'echo', 0.1)}
`;

let routing: RoutingHarness;
let caller = 0;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});

afterAll(() => routing.stop());
afterEach(() => {
  routing.policies.defaultPlugins = [];
});

/** Calls as another workspace each time: no earlier policy is known. */
async function ask({ dialect, asks }: (typeof doors)[number], fields: object) {
  caller += 1;
  const principal = {
    accountId: 'account',
    workspaceId: `workspace-${String(caller)}`,
    keyHash: 'key',
    limitNanoUsd: null,
    limitReset: null,
    includeByokInLimit: false,
  };
  const body = { model: 'service/auto', ...asks('Implement a parser in Rust'), ...fields };
  const client = { wantsMetadata: true } as const;
  const reply = await routing.call(body, { dialect, principal, client });
  const text = await textOf(reply);
  return { status: reply.status, text, id: `${reply.headers['x-generation-id'] ?? ''}/` };
}

const cases = doors.flatMap((door) =>
  (['service/auto', 'service/auto-beta'] as const).flatMap((slug) =>
    [false, true].map((stream) => ({ ...door, slug, stream })),
  ),
);

describe.each(cases)('$slug at $dialect, stream: $stream', ({ stream, slug, ...door }) => {
  const id = slug === 'service/auto' ? 'auto-router' : 'auto-beta-router';
  const asked = (settings: object) => ({ model: slug, stream, plugins: [{ id, ...settings }] });

  test('serves with a model for the task, and falls back', async () => {
    const answer = await ask(door, asked({ cost_quality_tradeoff: 5 }));
    equal(answer.status, 200, answer.text);
    match(answer.text, /"model":"qwen\/coder"/);
    match(answer.text, /"task_type":"code:generation"/);
    match(answer.text, /"strategy":"auto"/);
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId.startsWith(answer.id)),
      'the usage fact',
    );
    const kept = JSON.parse(fact.routing) as {
      readonly router: { readonly slug: string; readonly data: Readonly<Record<string, unknown>> };
    };
    equal(kept.router.slug, slug);
    deepEqual(kept.router.data['chosen'], ['anthropic/claude-broken', 'qwen/coder']);
  });

  test('takes its settings from the request or the workspace', async () => {
    match((await ask(door, asked({ cost_tier: 'max' }))).text, /"model":"openai\/gpt-5"/);
    routing.policies.defaultPlugins = [{ id, allowed_models: ['google/*'] }];
    match((await ask(door, { model: slug, stream })).text, /"model":"google\/gemini-x"/);
  });

  test('refuses if nothing is left, and wrong patterns by their place', async () => {
    const none = await ask(door, asked({ excluded_models: ['*'] }));
    equal(none.status, 404, none.text);
    match(none.text, /no models match your request and model restrictions/);
    const long = asked({ enabled: false, allowed_models: ['x'.repeat(1_025)] });
    const wrong = await ask(door, long);
    equal(wrong.status, 400);
    match(wrong.text, /plugins\[0\]\.allowed_models\[0\]/);
  });

  test('keeps to the model of the last answer, if the plugin has that setting', async () => {
    const turns = door.asks('and now?', [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello', model: 'openai/gpt-5' } as never,
    ]);
    const { text } = await ask(door, { ...asked({ pin_model: true }), ...turns });
    equal(text.includes('"model":"openai/gpt-5"'), id === 'auto-router', text.slice(0, 300));
  });
});

describe('the use of models', () => {
  const [door] = doors;
  const settings = { plugins: [{ id: 'auto-router', cost_quality_tradeoff: 0 }] };
  const keptOf = async (id: string) => {
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId.startsWith(id)),
      'the usage fact',
    );
    return JSON.parse(fact.routing) as {
      readonly router: { readonly data: Readonly<Record<string, unknown>> };
    };
  };
  /** Asks until the ledger has answered in the background. */
  const askRanked = async (account: string, rankings: string) =>
    await eventually(async () => {
      caller += 1;
      const principal = { ...somebody, accountId: account, workspaceId: `w-${String(caller)}` };
      const body = { model: 'service/auto', ...door?.asks('Implement a parser'), ...settings };
      const reply = await used.call(body, { principal, client: { wantsMetadata: true } });
      const text = await textOf(reply);
      equal(reply.status, 200, text);
      return text.includes(`"rankings":"${rankings}"`) ? text : undefined;
    }, `rankings by ${rankings}`);

  let used: RoutingHarness;
  beforeAll(async () => {
    used = await routingHarness({ catalogFile });
    const shares = [
      { model: 'nobody/other', share: 0.9 },
      { model: 'google/gemini-x', share: 0.1 },
    ];
    used.ledger.modelShares = { shares, onlyAccountId: 'account' };
  });
  afterAll(() => used.stop());

  test('is not waited for, and then ranks beside the table', async () => {
    const first = await ask(door ?? responses, settings);
    match(first.text, /"rankings":"table"/);
    equal((await keptOf(first.id)).router.data['rankings'], 'table');
    const text = await askRanked('account', 'table and usage');
    match(text, /"model":"nobody\/other","usage_rank":1/);
    ok(!text.includes('share'), text);
  });

  test('of a single account ranks for no other one', async () => {
    await askRanked('account', 'table and usage');
    await askRanked('another', 'table');
  });

  test('is not known when the ledger is gone, and no request waits', async () => {
    const gone = await routingHarness({ catalogFile });
    try {
      Object.assign(gone.ledger, {
        listModelShares: () => Promise.reject(new Error('gone')),
      });
      const body = { model: 'service/auto', input: 'hi' };
      const reply = await gone.call(body, { client: { wantsMetadata: true } });
      match(await textOf(reply), /"rankings":"table"/);
    } finally {
      await gone.stop();
    }
  });
});
