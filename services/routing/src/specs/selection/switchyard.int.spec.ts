import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf } from '../../testing/tool-loops.ts';

/** The answer of the judge. Undefined: it fails. */
let verdict: string | undefined;
const script: Script = ({ turns }) => {
  if (!turns.some(({ text }) => text.includes('which of two models'))) return undefined;
  if (verdict === undefined) return { directives: ['error-500'] };
  return { parts: [{ type: 'text', name: '', text: verdict }] };
};

const model = 'service/switchyard';
const client = { wantsMetadata: true } as const;
const price = (usd: number) => `{ prompt: '${usd.toFixed(7)}', completion: '${usd.toFixed(7)}' }`;
const catalogFile = (url: string) => `
routers:
  switchyard: { efficient: a/efficient, capable: a/capable }
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:
  - id: a/efficient
    endpoints: [{ provider: openai, upstream_model: echo, pricing: ${price(0.000_001)} }]
  - id: a/capable
    endpoints: [{ provider: openai, upstream_model: echo, pricing: ${price(0.000_01)} }]
  - id: a/other
    endpoints: [{ provider: openai, upstream_model: echo, pricing: ${price(0.000_1)} }]
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script, catalogFile });
});
afterAll(() => routing.stop());

const judging = (tier: string) => JSON.stringify({ tier, difficulty: 'high' });
const cases = doors.flatMap(({ dialect }) =>
  [false, true].map((stream) => ({ dialect, model, stream })),
);
/** Texts that no other test asks: verdicts are kept. */
let texts = 0;
const newText = (text: string) => `${text} ${String((texts += 1))}`;

interface Kept {
  readonly slug: string;
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function ask(body: object, dialect: (typeof doors)[number]['dialect'], facts: number) {
  const reply = await routing.call(body, { dialect, client });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await factsOf(routing, reply, facts);
  await checkBooks(routing, all, text);
  const { router } = JSON.parse(all.get('/1/1')?.routing ?? '') as { readonly router: Kept };
  return { text, facts: [...all.keys()].toSorted(), router, all };
}

describe.each(cases)('service/switchyard at $dialect, stream: $stream', (one) => {
  const body = (content: string, algorithm?: string) => ({
    ...bodyOf(one, { content, tools: [] }),
    ...(algorithm !== undefined && { plugins: [{ id: 'switchyard-router', algorithm }] }),
  });

  test.each(['efficient', 'capable'])('serves with what the judge chose: %s', async (tier) => {
    verdict = judging(tier);
    const { text, facts, router, all } = await ask(body(newText('hi')), one.dialect, 3);
    deepEqual(facts, ['/1/1', '/tool/1', '/tool/1/1/1/1']);
    match(text, new RegExp(`"model":"a/${tier}"`));
    match(text, /"strategy":"switchyard"/);
    match(text, /"cost_usd":/);
    equal(all.get('/tool/1')?.toolType, 'plugin:switchyard-router');
    equal(router.slug, model);
    deepEqual(router.data['judge'], {
      model: 'a/efficient',
      verdict: { tier, difficulty: 'high' },
    });
    deepEqual(
      (router.data['candidates'] as { model: string }[]).map((each) => each.model),
      ['a/capable', 'a/efficient'],
    );
  });

  test('serves without a verdict when the judge fails or answers anything else', async () => {
    for (const answer of [undefined, 'no JSON', '{"tier":"best"}']) {
      verdict = answer;
      const facts = answer === undefined ? 2 : 3;
      const { text, router } = await ask(body(newText('Good morning')), one.dialect, facts);
      match(text, /"model":"a\/efficient"/);
      match(router.summary, /without a verdict/);
      ok('failure' in (router.data['judge'] as object));
    }
    verdict = undefined;
    const hard = await ask(body(newText('Implement a parser in Rust')), one.dialect, 2);
    match(hard.text, /"model":"a\/capable"/);
  });

  test.each(['auto', 'random', 'passthrough'])('asks no judge with %s', async (algorithm) => {
    verdict = judging('efficient');
    const { text, facts, router } = await ask(body(newText('hi'), algorithm), one.dialect, 1);
    deepEqual(facts, ['/1/1']);
    equal(router.data['algorithm'], algorithm);
    equal(router.data['judge'], undefined);
    equal(typeof router.data['seed'], algorithm === 'random' ? 'string' : 'undefined');
    if (algorithm !== 'random')
      match(text, algorithm === 'auto' ? /"model":"a\/efficient"/ : /"model":"a\/capable"/);
  });

  test('refuses a wrong algorithm by its place', async () => {
    const reply = await routing.call(body('hi', 'dice'), { dialect: one.dialect });
    equal(reply.status, 400);
    match(await textOf(reply), /plugins\[0\]\.algorithm/);
  });
});

describe('the judge', () => {
  const asked = (input: unknown, algorithm = 'capability') => ({
    model,
    input,
    plugins: [{ id: 'switchyard-router', algorithm }],
  });

  test('is asked once for the same question of an account', async () => {
    verdict = judging('capable');
    const input = newText('What is new?');
    deepEqual((await ask(asked(input), 'responses', 3)).facts.length, 3);
    verdict = judging('efficient');
    const again = await ask(asked(input), 'responses', 1);
    deepEqual(again.facts, ['/1/1']);
    match(again.text, /"model":"a\/capable"/);
    equal((again.router.data['judge'] as { from_cache: boolean }).from_cache, true);
    const other = { ...somebody, accountId: 'other' };
    const reply = await routing.call(asked(input), { principal: other, client });
    match(await textOf(reply), /"model":"a\/efficient"/);
  });

  const turns = (text: string, ...outputs: readonly string[]) => [
    { role: 'user', content: text },
    ...outputs.flatMap((output, index) => [
      {
        type: 'function_call',
        call_id: `c${String(index)}`,
        name: output === 'done' ? 'edit_file' : 'run',
        arguments: JSON.stringify({ index }),
      },
      { type: 'function_call_output', call_id: `c${String(index)}`, output },
    ]),
  ];

  test.each([
    ['stage', ['done'], 'efficient', 1],
    ['stage', ['Error: no', 'Error: no'], 'capable', 1],
    ['stage', ['Error: no'], 'capable', 3],
    ['auto', ['done'], 'efficient', 1],
    ['auto', ['Error: no', 'Error: no'], 'capable', 1],
    ['composite', ['done'], 'efficient', 1],
    ['composite', ['Error: no', 'Error: no'], 'capable', 1],
  ] as const)('is asked with %s after %o only if nothing decides', async (...row) => {
    const [algorithm, outputs, tier, facts] = row;
    verdict = judging('capable');
    const input = turns(newText('Go on'), ...outputs);
    const answer = await ask(asked(input, algorithm), 'responses', facts);
    equal(answer.facts.length, facts);
    match(answer.text, new RegExp(`"model":"a/${tier}"`));
    ok('signals' in answer.router.data);
  });

  test('with composite decides for all turns of tools after a message of the user', async () => {
    verdict = judging('capable');
    const text = newText('Tidy up');
    match((await ask(asked(turns(text), 'composite'), 'responses', 3)).text, /a\/capable/);
    verdict = judging('efficient');
    const next = await ask(asked(turns(text, 'a file'), 'composite'), 'responses', 1);
    match(next.text, /"model":"a\/capable"/);
    const recovered = await ask(asked(turns(text, 'done'), 'composite'), 'responses', 1);
    match(recovered.text, /"model":"a\/efficient"/);
  });

  test('is not asked for a request that no endpoint serves, or that is only counted', async () => {
    verdict = judging('capable');
    const before = routing.ledger.facts.length;
    const nowhere = { ...asked(newText('hi')), provider: { only: ['none'] } };
    equal((await routing.call(nowhere)).status, 404);
    const messages = [{ role: 'user', content: newText('hi') }];
    const counted = { model, max_tokens: 10, messages };
    equal((await routing.call(counted, { dialect: 'count-tokens' })).status, 200);
    equal(routing.ledger.facts.length, before);
  });

  test('is not asked for a router that is a fallback', async () => {
    verdict = judging('capable');
    const body = { model: 'a/other', models: [model], input: newText('hi') };
    const reply = await routing.call(body, { client });
    match(await textOf(reply), /"model":"a\/other"/);
    deepEqual([...(await factsOf(routing, reply, 1)).keys()], ['/1/1']);
  });
});

describe('a judge that does not answer', () => {
  test('does not end a request', async () => {
    const hanging: Script = ({ turns }) =>
      turns.some(({ text }) => text.includes('which of two models'))
        ? { directives: ['hang'] }
        : undefined;
    const slow = await routingHarness({ script: hanging, catalogFile, limits: { judgeMs: 50 } });
    try {
      const reply = await slow.call({ model, input: 'Good morning' }, { client });
      const text = await textOf(reply);
      equal(reply.status, 200, text);
      match(text, /"failure":"time_limit"/);
      match(text, /"model":"a\/efficient"/);
      const facts = await factsOf(slow, reply, 2);
      ok(facts.has('/1/1') && facts.has('/tool/1'));
    } finally {
      await slow.stop();
    }
  });
});

describe('a judge that no budget pays for', () => {
  test('does not end a request that its model can serve', async () => {
    const dearJudge = (url: string) =>
      catalogFile(url).replace('routers:', 'routers:\n  judge: a/other');
    // The judge may cost 0.1 USD, the model 0.0001 USD.
    const poor = await routingHarness({
      script,
      catalogFile: dearJudge,
      creditsNanoUsd: 5_000_000n,
    });
    try {
      verdict = judging('capable');
      const body = { model, input: 'Good morning', max_output_tokens: 10 };
      const reply = await poor.call(body, { client });
      const text = await textOf(reply);
      equal(reply.status, 200, text);
      match(text, /without a verdict/);
      match(text, /"failure":"credits_exhausted"/);
      const facts = await factsOf(poor, reply, 2);
      deepEqual([...facts.keys()].toSorted(), ['/1/1', '/tool/1']);
      await checkBooks(poor, facts, text);
    } finally {
      await poor.stop();
    }
  });
});
