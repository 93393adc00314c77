import { deepEqual, equal, match } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

const model = (id: string, upstream: string, usd: number) => `
  - id: ${id}
    endpoints:
      - { provider: openai, upstream_model: ${upstream},
          pricing: { prompt: '${(usd / 1e6).toFixed(9)}', completion: '${(usd / 1e6).toFixed(9)}' } }`;

let routing: RoutingHarness;
let caller = 0;
beforeAll(async () => {
  routing = await routingHarness({
    catalogFile: (url) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:${model('anthropic/claude-broken', 'sim-error-503', 1)}${model('qwen/coder', 'echo', 2)}
${model('google/gemini-x', 'echo', 3)}${model('openai/gpt-5', 'echo', 8)}${model('nobody/other', 'echo', 0.1)}
`,
  });
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
