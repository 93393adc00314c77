import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, refused, type Body } from './testing/request-body.ts';
import { plugins } from './plugins.ts';

const many = (length: number, value = 'a/*'): readonly string[] =>
  Array.from({ length }, () => value);
const plugin = (settings: Body): Body => ({ plugins: [settings] });
const search = {
  mode: 'deep',
  max_results: 25,
  max_uses: 1,
  user_location: { type: 'approximate', city: 'x' },
  x_search: { allowed_x_handles: ['a'], from_date: '2026-01-31' },
};

/** All settings of every plugin, by the contract. */
const settings: Readonly<Record<string, Body>> = {
  alignment: { rules: ['be kind'], instruct: true, max_retries: 0, mode: 'audit', threshold: 1 },
  'auto-beta-router': { allowed_models: many(1_024), cost_tier: 'max', cost_quality_tradeoff: 10 },
  'auto-router': { excluded_models: ['a/b'], cost_quality_tradeoff: 0, pin_model: true },
  'context-compression': { engine: 'middle-out' },
  'file-parser': { pdf: { engine: 'pdf-text' } },
  fusion: {
    analysis_models: many(8),
    model: 'a/b',
    max_tool_calls: 16,
    preset: 'general-fast',
    tools: [{ type: 'service:web_search', parameters: { a: [1, null], b: { c: ['d'], e: true } } }],
  },
  'jev-router': { cost_tier: 'mine', models: ['a'], allowed_models: ['b'], excluded_models: ['c'] },
  moderation: {},
  'pareto-router': { min_coding_score: 0.5, max_price: 0, price_source: 'weighted_avg' },
  'response-healing': {},
  'switchyard-router': { algorithm: 'composite' },
  web: {
    ...search,
    engine: 'perplexity',
    search_prompt: 'p',
    include_domains: ['*.site.tld'],
    exclude_domains: ['site.tld/blog'],
  },
  'web-fetch': {
    max_uses: 1,
    max_content_tokens: 10,
    allowed_domains: ['a'],
    blocked_domains: ['b'],
  },
};

describe('a plugin', () => {
  // Alignment is accepted without effect: no account is in its beta.
  test.each(Object.entries(settings).filter(([id]) => id !== 'alignment'))(
    '%s with all its settings is known, and refused by its name',
    (id, all) => {
      for (const more of [{}, { enabled: true }, { enabled: null }])
        expect(refused(plugin({ id, ...all, ...more }))).toEqual({
          rejected: 'invalid_request',
          message: `Invalid request: plugins[0].id: the plugin ${id} is known, but not available yet`,
          metadata: {
            issues: [
              {
                path: 'plugins[0].id',
                message: `the plugin ${id} is known, but not available yet`,
              },
            ],
          },
        });
    },
  );

  test('of every id of the contract is among them', () => {
    expect(new Set(Object.keys(settings))).toEqual(new Set(plugins.keys()));
  });

  test('that is switched off asks for nothing, where it has a switch', () => {
    for (const [id, { hasSwitch }] of plugins) {
      const off = plugin({ ...settings[String(id)], id, enabled: false });
      if (hasSwitch) expect(accepted(off).inference.items).toHaveLength(1);
      else expect(refused(off).rejected).toBe('invalid_request');
    }
  });

  test('that nobody knows is refused in other words', () => {
    expect(refused(plugin({ id: 'nobody' })).message).toMatch(
      /^Invalid request: plugins\[0\].id: must be one of alignment, auto-beta-router, .*, web-fetch$/,
    );
    for (const id of [7, 'constructor', '__proto__'])
      expect(issuePaths(plugin({ id }))).toEqual(['plugins[0].id']);
    expect(refused(plugin({})).message).toContain('plugins[0].id: is required');
  });

  test('that is named twice is what the last entry says', () => {
    const on = { id: 'web' };
    const off = { id: 'web', enabled: false };
    expect(accepted({ plugins: [on, off] }).inference.items).toHaveLength(1);
    expect(issuePaths({ plugins: [off, on] })).toEqual(['plugins[1].id']);
  });

  test.each<[Body, string]>([
    [{ id: 'alignment' }, 'rules'],
    [{ id: 'alignment', rules: [] }, 'rules'],
    [{ id: 'alignment', rules: many(129) }, 'rules'],
    [{ id: 'alignment', rules: ['a', ''] }, 'rules[1]'],
    [{ id: 'alignment', rules: ['x'.repeat(201)] }, 'rules[0]'],
    [{ id: 'alignment', rules: ['a\r'] }, 'rules[0]'],
    [{ id: 'alignment', rules: [1] }, 'rules[0]'],
    [{ id: 'alignment', rules: ['a'], enabled: false }, 'enabled'],
    [{ id: 'alignment', rules: ['a'], mode: 'strict' }, 'mode'],
    [{ id: 'alignment', rules: ['a'], threshold: 1.1 }, 'threshold'],
    [{ id: 'alignment', rules: ['a'], max_retries: -1 }, 'max_retries'],
    [{ id: 'auto-router', allowed_models: many(1_025) }, 'allowed_models'],
    [{ id: 'auto-router', excluded_models: ['x'.repeat(1_025)] }, 'excluded_models[0]'],
    [{ id: 'auto-router', allowed_models: many(65, 'x'.repeat(1_024)) }, 'allowed_models'],
    [{ id: 'auto-router', allowed_models: [''] }, 'allowed_models[0]'],
    [{ id: 'auto-router', cost_tier: 'cheap' }, 'cost_tier'],
    [{ id: 'auto-router', cost_quality_tradeoff: 11 }, 'cost_quality_tradeoff'],
    [{ id: 'auto-router', cost_quality_tradeoff: 0.5 }, 'cost_quality_tradeoff'],
    [{ id: 'auto-router', pin_model: 1 }, 'pin_model'],
    [{ id: 'auto-beta-router', enabled: 'no' }, 'enabled'],
    [{ id: 'context-compression', engine: 'best' }, 'engine'],
    [{ id: 'file-parser', pdf: { engine: 'ocr' } }, 'pdf.engine'],
    [{ id: 'file-parser', pdf: 'native' }, 'pdf'],
    [{ id: 'fusion', analysis_models: [] }, 'analysis_models'],
    [{ id: 'fusion', analysis_models: many(9) }, 'analysis_models'],
    [{ id: 'fusion', max_tool_calls: 0 }, 'max_tool_calls'],
    [{ id: 'fusion', max_tool_calls: 17 }, 'max_tool_calls'],
    [{ id: 'fusion', tools: many(9).map((type) => ({ type })) }, 'tools'],
    [{ id: 'fusion', tools: [{}] }, 'tools[0].type'],
    [
      { id: 'fusion', tools: [{ type: 'a', parameters: { b: { c: { d: 1 } } } }] },
      'tools[0].parameters.b',
    ],
    [{ id: 'fusion', tools: [{ type: 'a', parameters: { b: [[1]] } }] }, 'tools[0].parameters.b'],
    [{ id: 'fusion', preset: 'best' }, 'preset'],
    [{ id: 'jev-router', models: many(600), allowed_models: many(600) }, 'allowed_models'],
    [{ id: 'jev-router', cost_tier: 3 }, 'cost_tier'],
    [{ id: 'pareto-router', min_coding_score: -0.1 }, 'min_coding_score'],
    [{ id: 'pareto-router', min_coding_score: 1.01 }, 'min_coding_score'],
    [{ id: 'pareto-router', max_price: -1 }, 'max_price'],
    [{ id: 'pareto-router', price_source: 'x' }, 'price_source'],
    [{ id: 'response-healing', enabled: 1 }, 'enabled'],
    [{ id: 'switchyard-router', algorithm: 'dice' }, 'algorithm'],
    [{ id: 'web', engine: 'auto' }, 'engine'],
    [{ id: 'web', max_results: 0 }, 'max_results'],
    [{ id: 'web', max_results: 26 }, 'max_results'],
    [{ id: 'web', mode: 'slow' }, 'mode'],
    [{ id: 'web', user_location: { type: 'exact' } }, 'user_location.type'],
    [{ id: 'web', include_domains: 'a' }, 'include_domains'],
    [{ id: 'web', x_search: { from_date: 'yesterday' } }, 'x_search.from_date'],
    [{ id: 'web', x_search: { allowed_x_handles: many(21) } }, 'x_search.allowed_x_handles'],
    [{ id: 'web-fetch', max_uses: 0 }, 'max_uses'],
    [{ id: 'web-fetch', blocked_domains: [1] }, 'blocked_domains[0]'],
  ])('with a wrong setting is refused for that: %o', (entry, path) => {
    expect(issuePaths(plugin(entry))[0]).toBe(`plugins[0].${path}`);
  });

  test('that is told two lists of which only one can hold is understood and impossible', () => {
    const both = { allowed_x_handles: ['a'], excluded_x_handles: ['b'] };
    expect(refused(plugin({ id: 'web', x_search: both })).rejected).toBe('unprocessable');
  });

  test('has the last word on compression', () => {
    const off = { id: 'context-compression', enabled: false };
    expect(accepted({ truncation: 'auto', plugins: [off] }).inference.items).toHaveLength(1);
    expect(issuePaths({ truncation: 'auto' })).toEqual(['truncation']);
    expect(accepted({ truncation: 'disabled' }).inference.items).toHaveLength(1);
  });
});

test('plugins are a list of at most 32 objects', () => {
  expect(issuePaths({ plugins: {} })).toEqual(['plugins']);
  expect(issuePaths({ plugins: ['web'] })).toEqual(['plugins[0]']);
  const off = { id: 'web', enabled: false };
  expect(accepted({ plugins: Array.from({ length: 32 }, () => off) }).inference.items).toHaveLength(
    1,
  );
  expect(issuePaths({ plugins: Array.from({ length: 33 }, () => off) })).toEqual(['plugins']);
});
