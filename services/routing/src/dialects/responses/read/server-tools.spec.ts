import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, refused, tool } from '../testing/request-body.ts';

describe('a tool of the service', () => {
  test('that there is not is refused in other words', () => {
    for (const type of ['service:nail', 'service:constructor', 'nail', '__proto__', 7])
      expect(refused({ tools: [{ type }] }).message).toBe(
        'Invalid request: tools[0].type: is no known kind of tool',
      );
  });
});

describe('service:datetime', () => {
  const type = 'service:datetime';

  test.each([
    {},
    { parameters: null },
    { parameters: {} },
    { parameters: { timezone: 'Asia/Tokyo' } },
  ])('is read with its settings: %o', (more) => {
    const given = { type, ...more };
    const { inference, leftOut } = accepted({ tools: [given], tool_choice: { type } });
    expect(inference.tools).toEqual([{ type: 'native', tool: given }]);
    expect(inference.toolChoice).toEqual({ type: 'native', tool: { type } });
    expect(leftOut).toEqual([]);
  });

  test.each<[unknown, string]>([
    [7, 'parameters'],
    [{ timezone: 7 }, 'parameters.timezone'],
    [{ timezone: 'Mars/Olympus' }, 'parameters.timezone'],
    [{ timezone: '+01:00' }, 'parameters.timezone'],
    [{ timezone: 'x'.repeat(9_999) }, 'parameters.timezone'],
  ])('is refused with the place: %o', (parameters, path) => {
    expect(issuePaths({ tools: [{ type, parameters }] })).toEqual([`tools[0].${path}`]);
  });
});

describe('service:web_search and its short kinds', () => {
  const type = 'service:web_search';
  const shorthands = [
    'web_search',
    'web_search_2025_08_26',
    'web_search_preview',
    'web_search_preview_2025_03_11',
  ];
  const both = { allowed_domains: ['a.example'], excluded_domains: ['b.example'] };

  test.each<object>([
    {},
    { parameters: null },
    {
      parameters: {
        engine: 'exa',
        mode: 'deep',
        max_results: 25,
        max_uses: 1,
        max_total_results: 100,
        max_characters: 100_000,
        search_context_size: 'low',
        user_location: { city: 'Lisbon' },
        x_search: { allowed_x_handles: ['a'] },
        allowed_domains: [
          '*.site.example',
          'https://site.example/blog',
          'bücher.example',
          'docs.*.com',
        ],
        excluded_domains: ['a.site.example'],
      },
    },
    { parameters: { engine: 'perplexity', ...both } },
  ])('are read with their settings: %o', (more) => {
    const given = { type, ...more };
    expect(accepted({ tools: [given] }).inference.tools).toEqual([{ type: 'native', tool: given }]);
  });

  test.each<[object, string]>([
    [{ engine: 'google' }, '.engine'],
    [{ mode: 'slow' }, '.mode'],
    [{ max_results: 0 }, '.max_results'],
    [{ max_results: 26 }, '.max_results'],
    [{ max_results: 2.5 }, '.max_results'],
    [{ max_uses: 0 }, '.max_uses'],
    [{ max_total_results: 0 }, '.max_total_results'],
    [{ max_characters: 0 }, '.max_characters'],
    [{ max_characters: 100_001 }, '.max_characters'],
    [{ search_context_size: 'huge' }, '.search_context_size'],
    [{ user_location: { type: 'exact' } }, '.user_location.type'],
    [{ allowed_domains: 'a.example' }, '.allowed_domains'],
    [{ allowed_domains: ['ftp://a.example'] }, '.allowed_domains[0]'],
    [{ allowed_domains: ['a.example', 'a<b.example'] }, '.allowed_domains[1]'],
    [{ allowed_domains: ['a.example\n'] }, '.allowed_domains[0]'],
    [{ excluded_domains: ['ok.example', 'a b.example'] }, '.excluded_domains[1]'],
    [{ allowed_domains: Array(101).fill('a.example') }, '.allowed_domains'],
    [{ x_search: { allowed_x_handles: Array(21).fill('a') } }, '.x_search.allowed_x_handles'],
    [{ x_search: { allowed_x_handles: ['a'], excluded_x_handles: ['b'] } }, '.x_search'],
    [{ engine: 'parallel', ...both }, ''],
    [{ engine: 'firecrawl', ...both }, ''],
    [{ engine: 'native', ...both }, ''],
  ])('are refused with the place: %o', (parameters, path) => {
    expect(issuePaths({ tools: [{ type, parameters }] })).toEqual([`tools[0].parameters${path}`]);
  });

  test.each(shorthands)('%s has its settings beside its type', (kind) => {
    const given = {
      type: kind,
      engine: 'parallel',
      mode: 'turbo',
      filters: { allowed_domains: ['a.example'] },
      max_results: 3,
      max_uses: 2,
      search_context_size: 'high',
      user_location: { type: 'approximate', country: 'PT' },
    };
    expect(accepted({ tools: [given] }).inference.tools).toEqual([{ type: 'native', tool: given }]);
    const lists = { allowed_domains: ['a.example'], blocked_domains: ['b.example'] };
    for (const [fields, path] of [
      [{ max_results: 26 }, '.max_results'],
      [{ filters: { blocked_domains: ['x'] } }, '.filters.blocked_domains[0]'],
      [{ engine: 'firecrawl', filters: lists }, ''],
    ] as const)
      expect(issuePaths({ tools: [{ type: kind, ...fields }] })).toEqual([`tools[0]${path}`]);
    const isPreview = kind.includes('preview');
    const untyped = { tools: [{ type: kind, user_location: { city: 'Lisbon' } }] };
    if (isPreview) expect(issuePaths(untyped)).toEqual(['tools[0].user_location.type']);
    else accepted(untyped);
  });

  test('the kinds of Anthropic are for its format', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    expect(issuePaths({ tools })).toEqual(['tools[0].type']);
  });
});

describe('the settings of the other tools of the service', () => {
  const container = { type: 'container_auto' };
  const reference = { type: 'container_reference', container_id: 'a'.repeat(41) };
  const file_ids = Array(21).fill(`svc_file_${'0'.repeat(32)}`);
  const network_policy = { type: 'allowlist', allowed_domains: Array(51).fill('a.example') };
  const sandbox: readonly (readonly [object, string])[] = [
    [{ engine: 'docker' }, 'engine'],
    [{ sleep_after_seconds: 0 }, 'sleep_after_seconds'],
    [{ sleep_after_seconds: 2_592_001 }, 'sleep_after_seconds'],
    [{ environment: { type: 'vm' } }, 'environment.type'],
    [{ environment: reference }, 'environment.container_id'],
    [{ environment: { ...container, file_ids } }, 'environment.file_ids'],
    [
      { environment: { ...container, network_policy } },
      'environment.network_policy.allowed_domains',
    ],
  ];
  const cases: readonly (readonly [string, object, string])[] = [
    ['service:search_models', { max_results: 0 }, 'max_results'],
    ['service:experimental__search_models', { max_results: 21 }, 'max_results'],
    ['service:tool_search', { max_results: 0 }, 'max_results'],
    ['service:web_fetch', { engine: 'perplexity' }, 'engine'],
    ['service:web_fetch', { max_uses: 0 }, 'max_uses'],
    ['service:web_fetch', { max_content_tokens: 0 }, 'max_content_tokens'],
    ['service:web_fetch', { blocked_domains: Array(101).fill('a.example') }, 'blocked_domains'],
    ['service:files', { folder: 'x' }, 'folder'],
    ['service:apply_patch', { engine: 'git' }, 'engine'],
    ['service:image_generation', { model: '' }, 'model'],
    ['service:image_generation', { size: {} }, 'size'],
    ['service:shell', { engine: 'native' }, 'engine'],
    ...['service:bash', 'service:shell'].flatMap((type) =>
      sandbox.map(([parameters, path]) => [type, parameters, path] as const),
    ),
  ];

  test.each(cases)('%s refuses %o with the place', (type, parameters, path) => {
    expect(issuePaths({ tools: [{ type, parameters }] })).toEqual([`tools[0].parameters.${path}`]);
  });
});

describe('a kind of tool that the contract does not name', () => {
  const tools = [tool('f'), { type: 'nail', length: 3 }];

  test('is left out beside other tools', () => {
    const { inference, leftOut } = accepted({ tools });
    expect(inference.tools).toMatchObject([{ name: 'f' }]);
    expect(leftOut).toEqual(['nail']);
  });

  test('is refused in strict mode, or if its word is none', () => {
    expect(issuePaths({ tools, unsupported_features: 'strict' })).toEqual(['tools[1].type']);
    for (const type of ['a b', 'é', '', 'x'.repeat(65), 7])
      expect(issuePaths({ tools: [tool('f'), { type }] })).toEqual(['tools[1].type']);
  });

  test('stands in no way of other problems', () => {
    expect(issuePaths({ tools: [...tools, { type: 'function' }], temperature: 9 })).toEqual([
      'tools[2].name',
      'temperature',
    ]);
  });
});

describe('the end of the loop of such tools', () => {
  const conditions = [
    { type: 'step_count_is', step_count: 3 },
    { type: 'has_tool_call', tool_name: 'f' },
    { type: 'max_tokens_used', max_tokens: 1 },
    { type: 'max_cost', max_cost_in_dollars: 0.5 },
    { type: 'finish_reason_is', reason: 'stop' },
  ];

  test('is read, beside the limit of calls', () => {
    const { loop } = accepted({ stop_server_tools_when: conditions, max_tool_calls: 7 });
    expect(loop).toEqual({ stopWhen: conditions, callsMax: 7 });
    expect(accepted({ max_tool_calls: 31 }).loop).toEqual({ callsMax: 30 });
    expect(accepted({}).loop).toEqual({});
  });

  test('leaves the limit of the tools that a provider runs as it is', () => {
    const tools = [{ type: 'apply_patch' }];
    const asked = { tools, max_tool_calls: 2, stop_server_tools_when: conditions };
    expect(accepted(asked).inference.options).toMatchObject({ nativeCallsMax: 2 });
    const served = { ...asked, tools: [{ type: 'service:datetime' }] };
    expect(accepted(served).inference.options).not.toHaveProperty('nativeCallsMax');
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
