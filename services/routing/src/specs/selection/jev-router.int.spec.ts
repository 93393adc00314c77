import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  eventsOf,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf } from '../../testing/tool-loops.ts';

/** The model and the effort of the verdict. Undefined: the judge fails. */
let verdict: { readonly model: string; readonly effort?: string } | undefined;
const script: Script = ({ turns }) => {
  if (!turns.some(({ text }) => text.includes('which model of a pool'))) return undefined;
  if (verdict === undefined) return { directives: ['error-500'] };
  const judged = { task: 'math', difficulty: 'low', gain: 0.1, effort: 'none', ...verdict };
  return { parts: [{ type: 'text', name: '', text: JSON.stringify(judged) }] };
};

const model = 'service/jev-router';
const client = { wantsMetadata: true } as const;
const price = (usd: number) => `{ prompt: '${usd.toFixed(7)}', completion: '${usd.toFixed(7)}' }`;
const row = (id: string, usd: number, more = '') => `
  - id: ${id}
    ${more}
    endpoints: [{ provider: openai, upstream_model: echo, pricing: ${price(usd)} }]`;
const models = (url: string) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:${row('a/small', 0.000_001)}${row('a/middle', 0.000_01, "aliases: ['~a/mid-latest']")}
${row('a/large', 0.000_1, 'reasoning: { supported_efforts: [high, medium, low] }')}
`;
const pool = `
routers:
  jev:
    - { model: a/small, cost_tier: low }
    - { model: a/middle, cost_tier: house }
    - { model: a/large, cost_tier: house, efforts: [high, low] }
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script, catalogFile: (url) => pool + models(url) });
});
afterAll(() => routing.stop());

const cases = doors.flatMap(({ dialect }) =>
  [false, true].map((stream) => ({ dialect, model, stream })),
);
let texts = 0;
const newText = (text: string) => `${text} ${String((texts += 1))}`;

interface Kept {
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly dialect: (typeof doors)[number]['dialect'];
  /** The number of facts of the response. */
  readonly facts: number;
}

async function ask(
  harness: RoutingHarness,
  body: object,
  { dialect = 'responses', facts = 3 }: Partial<Asked> = {},
) {
  const reply = await harness.call(body, { dialect, client });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await factsOf(harness, reply, facts);
  await checkBooks(harness, all, text);
  const { router } = JSON.parse(all.get('/1/1')?.routing ?? '') as { readonly router: Kept };
  return { text, router, facts: [...all.keys()].toSorted() };
}

describe.each(cases)('service/jev-router at $dialect, stream: $stream', (one) => {
  const { dialect } = one;
  const body = (content: string, settings?: object) => ({
    ...bodyOf(one, { content, tools: [] }),
    ...(settings && { plugins: [{ id: 'jev-router', ...settings }] }),
  });

  test('serves with the model that the judge chose, and says why', async () => {
    verdict = { model: 'a/middle' };
    const { text, router, facts } = await ask(routing, body(newText('hi')), { dialect });
    deepEqual(facts, ['/1/1', '/tool/1', '/tool/1/1/1/1']);
    match(text, /"model":"a\/middle"/);
    match(text, /"strategy":"jev"/);
    match(text, /"cost_usd":/);
    equal(router.data['task_type'], 'math');
    equal((router.data['judge'] as { model: string }).model, 'a/small');
    deepEqual(
      (router.data['candidates'] as { model: string }[]).map((each) => each.model),
      ['a/small', 'a/middle', 'a/large'],
    );
  });

  test('serves with the best of the cheaper half when the judge fails or chose another', async () => {
    for (const [answer, facts] of [
      [undefined, 2],
      [{ model: 'a/other' }, 3],
    ] as const) {
      verdict = answer;
      const { text, router } = await ask(routing, body(newText('hi')), { dialect, facts });
      match(text, /"model":"a\/(?:small|middle)"/);
      match(router.summary, /without a verdict/);
    }
  });

  test('chooses from the models that the settings leave', async () => {
    verdict = { model: 'a/middle' };
    for (const [settings, facts, chosen] of [
      [{ models: ['a/large'] }, 1, 'a/large'],
      [{ allowed_models: ['a/s*'] }, 1, 'a/small'],
      [{ models: ['a/large'], allowed_models: ['a/middle'] }, 3, 'a/middle'],
      [{ models: ['~a/mid-latest'] }, 1, 'a/middle'],
      [{ models: ['b/*'] }, 3, 'a/middle'],
      [{ excluded_models: ['a/s*', '~a/mid-latest'] }, 1, 'a/large'],
      [{ cost_tier: 'low' }, 1, 'a/small'],
      [{ cost_tier: 'house' }, 3, 'a/middle'],
    ] as const) {
      const { text } = await ask(routing, body(newText('hi'), settings), { dialect, facts });
      ok(text.includes(`"model":"${chosen}"`), `${JSON.stringify(settings)} ${text}`);
    }
  });

  test('refuses a tier that does not exist, and a pool without models', async () => {
    for (const [settings, status, message] of [
      [{ cost_tier: 'medium' }, 400, /cost_tier must be one of low, house/],
      [{ excluded_models: ['*'] }, 404, /no models match your request/],
      [{ models: ['a/large'], excluded_models: ['a/*'] }, 404, /no models match your request/],
      [{ models: Array<string>(1_025).fill('a') }, 400, /plugins\[0\]\.models/],
    ] as const) {
      const reply = await routing.call(body('hi', settings), { dialect });
      const text = await textOf(reply);
      equal(reply.status, status, text);
      match(text, message);
    }
  });
});

describe('the effort', () => {
  const sentEffort = async (fields: object) => {
    const debug = { echo_upstream_body: true };
    const input = newText('hi');
    const body = { model, input, stream: true, debug, ...fields };
    const events = await eventsOf(await routing.call(body));
    const echoed = events.flatMap((event) => {
      const { debug: told } = event as {
        debug?: { echo_upstream_body?: { reasoning?: { effort?: string } } };
      };
      return told?.echo_upstream_body ?? [];
    });
    return echoed[0]?.reasoning?.effort;
  };

  test('is that of the judge, if the model has it and the request names none', async () => {
    verdict = { model: 'a/large', effort: 'low' };
    equal(await sentEffort({}), 'low');
    equal(await sentEffort({ reasoning: { effort: 'high' } }), 'high');
    verdict = { model: 'a/large', effort: 'medium' };
    equal(await sentEffort({}), undefined);
  });
});

describe('a pool that the operator does not set', () => {
  test('has the models of each third of costs', async () => {
    const usual = await routingHarness({ script, catalogFile: models });
    try {
      verdict = { model: 'a/large', effort: 'low' };
      const { router, text } = await ask(usual, { model, input: 'hi' });
      match(text, /"model":"a\/large"/);
      equal(router.data['effort'], 'low');
      const candidates = router.data['candidates'] as { cost_tier: string }[];
      const tiers = Map.groupBy(candidates, ({ cost_tier: tier }) => tier);
      deepEqual([...tiers.keys()], ['low', 'medium', 'high']);
      for (const ofTier of tiers.values()) ok(ofTier.length <= 4);
    } finally {
      await usual.stop();
    }
  });
});
