import { pluginIds } from '@sluice/client-schemas';
import { describe, expect, test } from 'vitest';
import { type PluginId, settingsOf } from '../../../request/plugins.ts';
import { accepted, issuePaths, refused, type Body } from '../testing/request-body.ts';

const plugin = (settings: Body): Body => ({ plugins: [settings] });

/** Every plugin of the contract, and whether `enabled: false` switches it off. */
const hasSwitch: Readonly<Record<PluginId, boolean>> = {
  alignment: false,
  'auto-beta-router': true,
  'auto-router': true,
  'context-compression': true,
  'file-parser': true,
  fusion: true,
  'jev-router': false,
  moderation: false,
  'pareto-router': true,
  'response-healing': true,
  'switchyard-router': false,
  web: true,
  'web-fetch': false,
};

describe('a plugin', () => {
  test('is one of the contract', () => {
    expect(pluginIds.toSorted()).toEqual(Object.keys(hasSwitch));
  });

  test('that is switched off asks for nothing, where it has a switch', () => {
    for (const [id, isSwitched] of Object.entries(hasSwitch)) {
      const off = plugin({ id, enabled: false });
      if (id === 'alignment') expect(refused(off).rejected).toBe('invalid_request');
      else if (isSwitched) expect(settingsOf(accepted(off), id as PluginId)).toBe(undefined);
      else expect(settingsOf(accepted(off), id as PluginId)).toEqual({ id, enabled: false });
    }
  });

  test('that does not exist is refused in other words', () => {
    for (const id of [7, 'nobody', 'constructor', '__proto__'])
      expect(refused(plugin({ id })).message).toBe(
        'Invalid request: plugins[0].id: is no known kind of plugin',
      );
    expect(refused(plugin({})).message).toContain('plugins[0].id: is required');
  });

  test('that is named twice is what the last entry says', () => {
    const on = { id: 'fusion' };
    const off = { id: 'fusion', enabled: false, max_tool_calls: 2 };
    expect(accepted({ plugins: [on, off] }).plugins).toEqual({ fusion: off });
    expect(accepted({ plugins: [off, on] }).plugins).toEqual({ fusion: on });
  });

  test('alignment is accepted with its rules', () => {
    const rules = { id: 'alignment', rules: ['be kind'], mode: 'audit', threshold: 1 };
    expect(settingsOf(accepted(plugin(rules)), 'alignment')).toEqual(rules);
  });

  test.each<[Body, string]>([
    [{ id: 'fusion', analysis_models: Array<string>(9).fill('a/b') }, 'analysis_models'],
    [{ id: 'fusion', analysis_models: [] }, 'analysis_models'],
    [{ id: 'fusion', max_tool_calls: 17 }, 'max_tool_calls'],
    [{ id: 'fusion', preset: 'best' }, 'preset'],
    [{ id: 'fusion', tools: [{}] }, 'tools[0].type'],
    [
      { id: 'fusion', tools: Array.from({ length: 9 }, () => ({ type: 'service:datetime' })) },
      'tools',
    ],
    [
      { id: 'fusion', tools: [{ type: 'a', parameters: { a: { b: { c: 1 } } } }] },
      'tools[0].parameters.a.b',
    ],
    [{ id: 'fusion', tools: [{ type: 'a', parameters: { a: [{}] } }] }, 'tools[0].parameters.a[0]'],
    [{ id: 'auto-router', allowed_models: ['x'.repeat(1_025)] }, 'allowed_models[0]'],
    [{ id: 'auto-router', allowed_models: ['a', ''] }, 'allowed_models[1]'],
    [
      { id: 'auto-router', excluded_models: Array<string>(65).fill('x'.repeat(1_009)) },
      'excluded_models',
    ],
    [{ id: 'auto-router', pin_model: 1 }, 'pin_model'],
    [
      {
        id: 'jev-router',
        models: Array<string>(1_000).fill('a'),
        allowed_models: Array<string>(25).fill('a'),
      },
      'allowed_models',
    ],
    [{ id: 'pareto-router', max_price: -1 }, 'max_price'],
    [{ id: 'pareto-router', price_source: 'list' }, 'price_source'],
    [{ id: 'web', engine: 'perplexity', max_results: 21 }, 'max_results'],
    [{ id: 'web', engine: 'auto' }, 'engine'],
    [{ id: 'web', mode: 'slow' }, 'mode'],
    [{ id: 'web', include_domains: ['not a domain'] }, 'include_domains[0]'],
    [{ id: 'web', user_location: { city: 1 } }, 'user_location.city'],
    [{ id: 'web-fetch', allowed_domains: ['*'] }, 'allowed_domains[0]'],
    [{ id: 'auto-router', cost_tier: 'free' }, 'cost_tier'],
    [{ id: 'auto-beta-router', cost_quality_tradeoff: 11 }, 'cost_quality_tradeoff'],
    [{ id: 'auto-router', allowed_models: Array<string>(1_025).fill('a/*') }, 'allowed_models'],
    [{ id: 'context-compression', engine: 'zip' }, 'engine'],
    [{ id: 'file-parser', pdf: { engine: 'none' } }, 'pdf.engine'],
    [{ id: 'jev-router', models: [1] }, 'models[0]'],
    [{ id: 'pareto-router', min_coding_score: 2 }, 'min_coding_score'],
    [{ id: 'response-healing', enabled: 1 }, 'enabled'],
    [{ id: 'switchyard-router', algorithm: 'dice' }, 'algorithm'],
    [{ id: 'web', max_results: 26 }, 'max_results'],
    [{ id: 'web-fetch', max_uses: 0 }, 'max_uses'],
    [{ id: 'web-fetch', max_content_tokens: 0 }, 'max_content_tokens'],
    [{ id: 'web-fetch', blocked_domains: ['*'] }, 'blocked_domains[0]'],
    [{ id: 'web', max_results: 0 }, 'max_results'],
    [{ id: 'web', max_uses: 0 }, 'max_uses'],
    [{ id: 'web', search_prompt: 1 }, 'search_prompt'],
    [{ id: 'web', exclude_domains: ['not a domain'] }, 'exclude_domains[0]'],
    [{ id: 'web', x_search: 1 }, 'x_search'],
    [{ id: 'fusion', max_tool_calls: 0 }, 'max_tool_calls'],
    [{ id: 'fusion', model: '' }, 'model'],
    [{ id: 'fusion', analysis_models: [''] }, 'analysis_models[0]'],
    [{ id: 'auto-router', cost_quality_tradeoff: -1 }, 'cost_quality_tradeoff'],
    [{ id: 'auto-router', cost_quality_tradeoff: 1.5 }, 'cost_quality_tradeoff'],
    [{ id: 'auto-router', excluded_models: Array<string>(1_025).fill('a/*') }, 'excluded_models'],
    [{ id: 'auto-beta-router', allowed_models: ['x'.repeat(1_025)] }, 'allowed_models[0]'],
    [{ id: 'jev-router', models: ['x'.repeat(1_025)] }, 'models[0]'],
    [{ id: 'jev-router', excluded_models: Array<string>(1_025).fill('a') }, 'excluded_models'],
    [{ id: 'jev-router', cost_tier: 1 }, 'cost_tier'],
    [{ id: 'pareto-router', min_coding_score: -0.1 }, 'min_coding_score'],
  ])(
    'has its settings checked has its settings checked, also when it is off: %o',
    (entry, path) => {
      const wrong = `plugins[0].${path}`;
      expect(issuePaths(plugin(entry))).toContain(wrong);
      if ('enabled' in entry) return;
      expect(issuePaths(plugin({ ...entry, enabled: false }))).toContain(wrong);
    },
  );

  test.each<Body>([
    { id: 'fusion', analysis_models: Array<string>(8).fill('a/b'), max_tool_calls: 16 },
    { id: 'fusion', max_tool_calls: 1, preset: 'general-fast' },
    {
      id: 'fusion',
      tools: Array.from({ length: 8 }, () => ({ type: 'a', parameters: { a: { b: [1] } } })),
    },
    { id: 'auto-router', allowed_models: Array<string>(1_024).fill('a/*'), cost_tier: 'max' },
    { id: 'auto-router', allowed_models: ['x'.repeat(1_024)], cost_quality_tradeoff: 0 },
    { id: 'auto-router', excluded_models: Array<string>(64).fill('x'.repeat(1_024)) },
    { id: 'auto-beta-router', cost_quality_tradeoff: 10 },
    {
      id: 'jev-router',
      models: Array<string>(1_000).fill('a'),
      allowed_models: Array(24).fill('a'),
    },
    { id: 'pareto-router', min_coding_score: 1, max_price: 0, price_source: 'weighted_avg' },
    { id: 'pareto-router', min_coding_score: 0 },
    { id: 'web', engine: 'perplexity', max_results: 20, max_uses: 1 },
    { id: 'web', max_results: 25, include_domains: ['*.site.tld', 'site.tld/blog'] },
    { id: 'web-fetch', max_uses: 1, max_content_tokens: 1 },
    {
      id: 'alignment',
      rules: Array<string>(128).fill('x'.repeat(200)),
      max_retries: 9,
      threshold: 0,
    },
  ])('is accepted at its limits: %o', (entry) => {
    expect(settingsOf(accepted(plugin(entry)), entry['id'] as PluginId)).toEqual(entry);
  });

  test('moderation is accepted, and has neither settings nor a switch', () => {
    expect(accepted({}).plugins).toEqual({});
    for (const more of [{}, { enabled: true }, { enabled: false }, { model: 'x' }]) {
      const named = { id: 'moderation', ...more };
      expect(settingsOf(accepted(plugin(named)), 'moderation')).toEqual(named);
    }
  });

  test.each<[Body, string]>([
    [{}, 'rules'],
    [{ rules: [] }, 'rules'],
    [{ rules: Array<string>(129).fill('a') }, 'rules'],
    [{ rules: ['a', ''] }, 'rules[1]'],
    [{ rules: ['x'.repeat(201)] }, 'rules[0]'],
    [{ rules: ['a\r'] }, 'rules[0]'],
    [{ rules: [1] }, 'rules[0]'],
    [{ rules: ['a'], enabled: false }, 'enabled'],
    [{ rules: ['a'], mode: 'strict' }, 'mode'],
    [{ rules: ['a'], threshold: 1.1 }, 'threshold'],
    [{ rules: ['a'], max_retries: -1 }, 'max_retries'],
    [{ rules: ['a'], max_retries: 10 }, 'max_retries'],
  ])('alignment with a wrong setting is refused for that: %o', (entry, path) => {
    expect(issuePaths(plugin({ id: 'alignment', ...entry }))).toEqual([`plugins[0].${path}`]);
  });

  test('has the last word on compression', () => {
    const id = 'context-compression';
    const off = { id, enabled: false };
    const compressionOf = (body: Body) => accepted(body).plugins[id];
    expect(compressionOf({ truncation: 'auto' })).toEqual({ id });
    expect(compressionOf({ truncation: 'auto', plugins: [off] })).toEqual(off);
    expect(compressionOf({ truncation: 'disabled', plugins: [{ id }] })).toEqual({ id });
    expect(compressionOf({ truncation: 'disabled' })).toBe(undefined);
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
