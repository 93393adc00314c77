import { deepEqual, equal, ok } from 'node:assert/strict';
import { createCatalog } from '@sluice/catalog';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { isRejection } from '@sluice/errors';
import { composeDemands } from '@sluice/policy';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { CanonicalCall } from '../../../request/call.ts';
import type { PluginSettings } from '../../../request/plugins.ts';
import { textCall } from '../../../testing/text-call.ts';
import { choose } from '../../choose.ts';
import { preferring } from '../../testing/preferring.ts';
import { bandOf, inBand } from './cost-band.ts';

const priced = (id: string, usd: number) => {
  const price = (usd / 1e6).toFixed(12);
  const pricing = { prompt: price, completion: price };
  return sampleModel(id, { endpoints: [sampleEndpoint(id, 'openai', { pricing })] });
};
/** Ten models that are ranked for code, the cheapest first, and one that is not. */
const models = [
  priced('deepseek/a', 1),
  priced('qwen/coder', 2),
  priced('anthropic/claude-1', 3),
  priced('anthropic/claude-2', 4),
  priced('openai/gpt-5-mini', 5),
  priced('google/gemini-x', 6),
  priced('anthropic/claude-3', 7),
  priced('z-ai/glm-x', 8),
  priced('openai/gpt-5', 9),
  priced('anthropic/claude-4', 10),
  priced('nobody/small', 0.1),
];
const prompt = 'Implement a parser in Rust';

type Settings = Omit<PluginSettings<'auto-router'>, 'id'>;
interface Asked extends Partial<CanonicalCall> {
  readonly of?: typeof models;
  readonly slug?: string;
  readonly text?: string;
}

function chosen(settings: Settings = {}, asked: Asked = {}) {
  const { of = models, slug = 'service/auto', text = prompt, ...changes } = asked;
  const call = textCall(text, {
    preferences: preferring({ models: [slug] }),
    plugins: { 'auto-router': { id: 'auto-router', ...settings } },
    ...changes,
  });
  return choose(call, {
    catalog: createCatalog(of, []),
    guardrails: composeDemands([]),
    inputTokens: 1,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: undefined,
    random: () => 0,
  });
}
function planOf(...asked: Parameters<typeof chosen>) {
  const plan = chosen(...asked);
  ok(!isRejection(plan), isRejection(plan) ? plan.message : '');
  return plan;
}
const triedOf = (...asked: Parameters<typeof chosen>) =>
  planOf(...asked).attempts.map(({ model: { id } }) => id);

describe('the auto router', () => {
  test.each<[Settings, readonly string[]]>([
    [{}, ['qwen/coder', 'deepseek/a']],
    [{ cost_tier: 'low' }, ['qwen/coder', 'deepseek/a']],
    [{ cost_tier: 'medium' }, ['anthropic/claude-1', 'anthropic/claude-2']],
    [{ cost_tier: 'high' }, ['openai/gpt-5-mini', 'google/gemini-x']],
    [{ cost_tier: 'xhigh' }, ['anthropic/claude-3', 'z-ai/glm-x']],
    [{ cost_tier: 'max' }, ['anthropic/claude-4', 'openai/gpt-5']],
    [{ cost_quality_tradeoff: 10 }, ['deepseek/a']],
    [
      { cost_quality_tradeoff: 0 },
      ['anthropic/claude-1', 'anthropic/claude-2', 'anthropic/claude-3'],
    ],
    [
      { cost_quality_tradeoff: 0, cost_tier: 'medium' },
      ['anthropic/claude-1', 'anthropic/claude-2'],
    ],
    [{ cost_tier: 'max', enabled: false }, ['qwen/coder', 'deepseek/a']],
  ])('ranks the models of the cost band for the task: %o', (settings, expected) => {
    deepEqual(triedOf(settings), expected);
  });

  test('takes only allowed models, and an excluded pattern wins', () => {
    const settings = { allowed_models: ['anthropic/*'], excluded_models: ['*-1', '*-4'] };
    deepEqual(triedOf({ ...settings, cost_tier: 'max' }), ['anthropic/claude-3']);
    deepEqual(triedOf(settings), ['anthropic/claude-2']);
  });

  test.each<Settings>([
    { allowed_models: [] },
    { allowed_models: ['unheard/*'] },
    { allowed_models: ['deepseek/*'], excluded_models: ['*'] },
  ])('refuses if nothing is left: %o', (settings) => {
    const refused = chosen(settings);
    ok(isRejection(refused));
    equal(refused.rejected, 'not_found');
    equal(refused.message, 'no models match your request and model restrictions');
  });

  test('refuses in the same words if no model can serve, with the filter', () => {
    const refused = chosen(
      {},
      { preferences: preferring({ models: ['service/auto'], only: ['none'] }) },
    );
    ok(isRejection(refused));
    equal(refused.rejected, 'not_found');
    equal(refused.message, 'no models match your request and model restrictions');
    ok(JSON.stringify(refused.metadata).includes('allowed_providers'));
  });

  test('keeps to the model of the last answer with pin_model, unless it is excluded', () => {
    const answeredBy = 'openai/gpt-5';
    equal(triedOf({ pin_model: true }, { answeredBy })[0], answeredBy);
    deepEqual(triedOf({ pin_model: true }, { answeredBy: 'nobody/small' }), [
      'nobody/small',
      'qwen/coder',
      'deepseek/a',
    ]);
    for (const settings of [
      { pin_model: false },
      {},
      { pin_model: true, excluded_models: ['openai/*'] },
    ])
      ok(!triedOf(settings, { answeredBy }).includes(answeredBy));
    equal(triedOf({ pin_model: true }, { answeredBy: 'unheard/of' })[0], 'qwen/coder');
  });

  test('has a default set where the table ranks none of the models', () => {
    const of = [priced('x/one', 1), priced('x/two', 2)];
    deepEqual(triedOf({}, { of }), ['x/one']);
    deepEqual(triedOf({ cost_tier: 'max' }, { of }), ['x/two']);
  });

  test('of the beta has settings of its own, and ignores those of the other one', () => {
    const slug = 'service/auto-beta';
    deepEqual(triedOf({ cost_tier: 'max' }, { slug }), ['qwen/coder', 'deepseek/a']);
    const plugins = { 'auto-beta-router': { id: 'auto-beta-router', cost_tier: 'max' } } as const;
    deepEqual(triedOf({}, { slug, plugins }), ['anthropic/claude-4', 'openai/gpt-5']);
    const [report] = planOf({}, { slug, plugins }).stages as readonly { readonly name: string }[];
    equal(report?.name, 'auto-beta-router');
  });

  test('explains its choice', () => {
    const plan = planOf({ excluded_models: ['z-ai/*'] });
    equal(plan.strategy, 'auto');
    deepEqual(plan.stages, [
      {
        type: 'plugin',
        name: 'auto-router',
        summary: 'chose qwen/coder, deepseek/a for code:generation',
        data: {
          task_type: 'code:generation',
          evidence: ['implement a', 'implement', 'parser', 'in rust', 'rust'],
          rankings: 'table',
          cost_percentiles: [0, 18],
          chosen: ['qwen/coder', 'deepseek/a'],
          candidates: [
            { model: 'qwen/coder', place: 4, price: 2 },
            { model: 'deepseek/a', place: 8, price: 1 },
          ],
          excluded: { by_patterns: 1, cannot_serve: 0, other_costs: 7 },
          excluded_by_patterns: ['z-ai/glm-x'],
        },
      },
    ]);
  });
});

test('no cost band is empty, and together the bands have every model', () => {
  const tiers = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }),
      (prices) => {
        const all = prices.map((price, at) => ({ id: `m${at}`, price, candidates: [] }));
        const bands = tiers.map((tier) => inBand(all, bandOf(tier, undefined)).map(({ id }) => id));
        ok(bands.every((band) => band.length > 0));
        equal(new Set(bands.flat()).size, all.length);
        for (let tradeoff = 0; tradeoff <= 10; tradeoff += 1)
          ok(inBand(all, bandOf(undefined, tradeoff)).length > 0);
      },
    ),
  );
});
