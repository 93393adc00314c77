import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, refused, tool, type Body } from './testing/request-body.ts';
import { serverTools } from './server-tools.ts';

const many = (length: number): readonly string[] =>
  Array.from({ length }, (_, index) => `a${index}`);
const search = {
  engine: 'auto',
  mode: 'instant',
  max_results: 5,
  max_uses: 2,
  search_context_size: 'low',
  user_location: { type: 'approximate', country: 'DE', timezone: 'Europe/Berlin' },
  x_search: { excluded_x_handles: ['a'], enable_image_understanding: true },
};
const shorthand = { ...search, filters: { allowed_domains: ['a'], blocked_domains: null } };
const policy = { type: 'allowlist', allowed_domains: ['*.a.example'] };
const container = { type: 'container_reference', container_id: 'c-1', network_policy: policy };
const inner = {
  name: ' my helper ',
  model: 'a/b',
  instructions: 'help',
  max_completion_tokens: 10,
  reasoning: { effort: 'low', max_tokens: 5 },
  temperature: 2,
};

/** All settings of every server tool, by the contract. */
const settings: Readonly<Record<string, Body>> = {
  web_search: shorthand,
  web_search_2025_08_26: shorthand,
  web_search_preview: shorthand,
  web_search_preview_2025_03_11: shorthand,
  tool_search: {},
  'service:tool_search': { parameters: { max_results: 60 } },
  'service:web_search': {
    parameters: {
      ...search,
      engine: 'exa',
      max_total_results: 50,
      max_characters: 100_000,
      allowed_domains: ['a'],
      excluded_domains: ['b'],
    },
  },
  'service:web_fetch': {
    parameters: {
      engine: 'service',
      max_uses: 1,
      max_content_tokens: 1,
      allowed_domains: ['a'],
      blocked_domains: ['b'],
    },
  },
  'service:datetime': { parameters: { timezone: 'Europe/Berlin' } },
  'service:experimental__search_models': { parameters: { max_results: 20 } },
  'service:search_models': { parameters: null },
  'service:files': { parameters: {} },
  'service:image_generation': { parameters: { model: 'a/b', size: 'big', n: 1, list: ['x'] } },
  'service:fusion': {
    parameters: {
      analysis_models: many(8),
      model: 'a/b',
      max_tool_calls: 4,
      max_completion_tokens: 16_000,
      reasoning: { effort: 'high' },
      temperature: 1,
      tools: [],
      cache_control: { type: 'ephemeral' },
    },
  },
  'service:advisor': { parameters: { ...inner, forward_transcript: true, stream: true } },
  'service:subagent': {
    parameters: {
      ...inner,
      max_tool_calls: 25,
      tools: [{ type: 'service:datetime', parameters: {} }],
      inherit_functions: false,
      inherited_function_names: [],
    },
  },
  'service:bash': { parameters: { engine: 'native', environment: { type: 'container_auto' } } },
  'service:shell': { parameters: { environment: container, sleep_after_seconds: 900 } },
  'service:apply_patch': { parameters: { engine: 'service' } },
};

describe('a tool of the service', () => {
  test.each(Object.entries(settings))(
    '%s with all its settings is known, and refused by its name',
    (type, all) => {
      const message = `the tool ${type} is known, but not available yet`;
      for (const more of [all, {}])
        expect(refused({ tools: [tool('f'), { type, ...more }] })).toEqual({
          rejected: 'invalid_request',
          message: `Invalid request: tools[1].type: ${message}`,
          metadata: { issues: [{ path: 'tools[1].type', message }] },
        });
    },
  );

  test('of every kind of the contract is among them', () => {
    expect(new Set(Object.keys(settings))).toEqual(new Set(serverTools.keys()));
  });

  test('that there is not is refused in other words', () => {
    for (const type of ['service:nail', 'service:constructor', 'nail', '__proto__', 7])
      expect(refused({ tools: [{ type }] }).message).toMatch(
        /^Invalid request: tools\[0\].type: (?:the service has no such tool|is no known kind of tool)$/,
      );
  });

  test.each<[string, unknown, string]>([
    ['service:web_search', 7, ''],
    ['service:web_search', { engine: 'bing' }, '.engine'],
    ['service:web_search', { max_results: 26 }, '.max_results'],
    ['service:web_search', { max_characters: 100_001 }, '.max_characters'],
    ['service:web_search', { search_context_size: 'huge' }, '.search_context_size'],
    ['service:web_search', { allowed_domains: [''] }, '.allowed_domains[0]'],
    [
      'service:web_search',
      { engine: 'parallel', allowed_domains: ['a'], excluded_domains: ['b'] },
      '.excluded_domains',
    ],
    ['service:web_fetch', { engine: 'perplexity' }, '.engine'],
    ['service:web_fetch', { max_uses: 0.5 }, '.max_uses'],
    ['service:datetime', { timezone: 'Middle/Earth' }, '.timezone'],
    ['service:datetime', { timezone: 1 }, '.timezone'],
    ['service:search_models', { max_results: 21 }, '.max_results'],
    ['service:tool_search', { max_results: 0 }, '.max_results'],
    ['service:files', [], ''],
    ['service:image_generation', { size: { w: 1 } }, '.size'],
    ['service:image_generation', { model: 1 }, '.model'],
    ['service:fusion', { analysis_models: many(9) }, '.analysis_models'],
    ['service:fusion', { tools: many(9).map((type) => ({ type })) }, '.tools'],
    ['service:fusion', { max_tool_calls: 17 }, '.max_tool_calls'],
    ['service:fusion', { cache_control: {} }, '.cache_control.type'],
    ['service:advisor', { name: 'a/b' }, '.name'],
    ['service:advisor', { name: ' ' }, '.name'],
    ['service:advisor', { temperature: 2.1 }, '.temperature'],
    ['service:advisor', { reasoning: { effort: 'heroic' } }, '.reasoning.effort'],
    ['service:subagent', { max_tool_calls: 26 }, '.max_tool_calls'],
    ['service:subagent', { tools: [{ type: 'function' }] }, '.tools[0].type'],
    ['service:subagent', { tools: [{ type: 'service:subagent' }] }, '.tools[0].type'],
    ['service:subagent', { inherited_function_names: [' '] }, '.inherited_function_names[0]'],
    ['service:subagent', { inherited_function_names: ['f', 'g'] }, '.inherited_function_names[1]'],
    ['service:bash', { engine: 'fast' }, '.engine'],
    ['service:shell', { engine: 'native' }, '.engine'],
    ['service:shell', { environment: { type: 'mine' } }, '.environment.type'],
    [
      'service:shell',
      { environment: { type: 'container_reference' } },
      '.environment.container_id',
    ],
    [
      'service:bash',
      { environment: { type: 'container_auto', file_ids: many(21) } },
      '.environment.file_ids',
    ],
    [
      'service:bash',
      { environment: { type: 'container_auto', network_policy: { type: 'allowlist' } } },
      '.environment.network_policy.allowed_domains',
    ],
    ['service:apply_patch', { engine: 'git' }, '.engine'],
  ])('%s with wrong settings is refused for them: %o', (type, parameters, path) => {
    const tools = [{ type, parameters }, tool('f')];
    expect(issuePaths({ tools })[0]).toBe(`tools[0].parameters${path}`);
  });

  test.each<[Body, string]>([
    [{ type: 'web_search', max_results: 0 }, 'max_results'],
    [{ type: 'web_search', filters: { allowed_domains: 'a' } }, 'filters.allowed_domains'],
    [
      {
        type: 'web_search',
        engine: 'firecrawl',
        filters: { allowed_domains: ['a'], blocked_domains: ['b'] },
      },
      'filters.blocked_domains',
    ],
    [{ type: 'web_search_preview', user_location: { city: 'x' } }, 'user_location.type'],
  ])('%o', (entry, path) => {
    expect(issuePaths({ tools: [entry] })[0]).toBe(`tools[0].${path}`);
  });

  test('that is told two lists of which only one can hold is understood and impossible', () => {
    const both = { allowed_x_handles: ['a'], excluded_x_handles: ['b'] };
    expect(refused({ tools: [{ type: 'web_search', x_search: both }] }).rejected).toBe(
      'unprocessable',
    );
  });

  test('may stand there several times under different names, and once without one', () => {
    const advisor = (name?: string): Body => ({
      type: 'service:advisor',
      ...(name !== undefined && { parameters: { name } }),
    });
    const named = (...tools: readonly Body[]) =>
      issuePaths({ tools }).filter((path) => path.endsWith('name'));
    expect(named(advisor('a'), advisor('b'), advisor())).toEqual([]);
    expect(named(advisor('a'), advisor(' a '))).toEqual(['tools[1].parameters.name']);
    expect(named(advisor(), advisor('a'), advisor())).toEqual(['tools[2].parameters.name']);
    expect(named(advisor('a'), { type: 'service:subagent', parameters: { name: 'a' } })).toEqual(
      [],
    );
  });
});

describe('the end of the loop of such tools', () => {
  test('may be said where there is none: there is nothing to end', () => {
    const conditions = [
      { type: 'step_count_is', step_count: 3 },
      { type: 'has_tool_call', tool_name: 'f' },
      { type: 'max_tokens_used', max_tokens: 1 },
      { type: 'max_cost', max_cost_in_dollars: 0.5 },
      { type: 'finish_reason_is', reason: 'stop' },
    ];
    expect(accepted({ stop_server_tools_when: conditions }).inference.tools).toEqual([]);
  });

  test.each<[unknown, string]>([
    [[], ''],
    [{}, ''],
    [['x'], '[0]'],
    [[{ type: 'mood' }], '[0].type'],
    [[{ type: 'step_count_is' }], '[0].step_count'],
    [[{ type: 'step_count_is', step_count: 1.5 }], '[0].step_count'],
    [[{ type: 'has_tool_call', tool_name: '' }], '[0].tool_name'],
    [[{ type: 'max_tokens_used', max_tokens: '1' }], '[0].max_tokens'],
    [[{ type: 'max_cost', max_cost_in_dollars: -1 }], '[0].max_cost_in_dollars'],
    [[{ type: 'finish_reason_is', reason: null }], '[0].reason'],
  ])('%o', (conditions, path) => {
    expect(issuePaths({ stop_server_tools_when: conditions })).toEqual([
      `stop_server_tools_when${path}`,
    ]);
  });
});
