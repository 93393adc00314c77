import { describe, expect, test } from 'vitest';
import {
  accepted,
  call,
  issuePaths,
  message,
  output,
  tool,
  type Body,
} from '../testing/request-body.ts';

const many = (length: number, of: (index: number) => Body): readonly Body[] =>
  Array.from({ length }, (_, index) => of(index));
const namespace = (tools: readonly Body[], name = 'crm'): Body => ({
  type: 'namespace',
  name,
  description: 'd',
  tools,
});

/** A tool of every kind that a provider runs, with all fields of the contract. */
const natives: readonly Body[] = [
  {
    type: 'file_search',
    vector_store_ids: ['v'],
    filters: {
      type: 'or',
      filters: [
        { type: 'eq', key: 'k', value: 1 },
        { type: 'and', filters: [{ type: 'lte', key: 'k', value: 'v' }] },
      ],
    },
    max_num_results: 3,
    ranking_options: { ranker: 'auto', score_threshold: 0.5 },
  },
  {
    type: 'computer_use_preview',
    display_width: 1_024,
    display_height: 768,
    environment: 'browser',
  },
  { type: 'computer' },
  { type: 'code_interpreter', container: 'cntr_1' },
  {
    type: 'code_interpreter',
    container: { type: 'auto', file_ids: ['f'], memory_limit: '4g' },
  },
  {
    type: 'mcp',
    server_label: 's',
    server_url: 'https://a.example',
    authorization: 'x',
    headers: { A: 'b' },
    server_description: 'd',
    allowed_tools: ['a'],
    require_approval: 'never',
  },
  {
    type: 'mcp',
    server_label: 's',
    connector_id: 'connector_gmail',
    allowed_tools: { tool_names: ['a'], read_only: true },
    require_approval: { always: { tool_names: ['a'] }, never: { tool_names: ['b'] } },
  },
  {
    type: 'image_generation',
    model: 'm',
    background: 'opaque',
    input_fidelity: null,
    input_image_mask: { file_id: 'f' },
    moderation: 'low',
    output_compression: 100,
    output_format: 'webp',
    partial_images: 3,
    quality: 'high',
    size: '1024x1024',
  },
  { type: 'local_shell' },
  { type: 'shell', environment: { type: 'local' } },
  { type: 'apply_patch' },
];

describe('a tool that the provider runs', () => {
  test.each(natives)('is kept as it came: %o', (fields) => {
    const { inference, echo } = accepted({ tools: [fields] });
    expect(inference.tools).toEqual([{ type: 'native', tool: fields }]);
    expect(echo.tools).toEqual([withoutSecrets(fields)]);
  });

  /** The token and the headers are for the server alone. */
  function withoutSecrets({ authorization: _token, ...rest }: Body): Body {
    return 'headers' in rest ? { ...rest, headers: { A: '<redacted>' } } : rest;
  }

  test.each<[Body, string]>([
    [{ type: 'file_search' }, 'vector_store_ids'],
    [{ type: 'file_search', vector_store_ids: [] }, 'vector_store_ids'],
    [{ type: 'file_search', vector_store_ids: ['v'], filters: { type: 'like' } }, 'filters.type'],
    [
      {
        type: 'file_search',
        vector_store_ids: ['v'],
        filters: { type: 'and', filters: [{ type: 'eq', value: 1 }] },
      },
      'filters.filters[0].key',
    ],
    [
      { type: 'file_search', vector_store_ids: ['v'], ranking_options: { ranker: 'best' } },
      'ranking_options.ranker',
    ],
    [
      { type: 'computer_use_preview', display_width: 1, display_height: 0, environment: 'dos' },
      'display_height',
    ],
    [{ type: 'code_interpreter' }, 'container'],
    [{ type: 'code_interpreter', container: { type: 'own' } }, 'container.type'],
    [
      { type: 'code_interpreter', container: { type: 'auto', memory_limit: '2g' } },
      'container.memory_limit',
    ],
    [{ type: 'mcp', server_label: 's' }, 'server_url'],
    [{ type: 'mcp', server_label: 's', connector_id: 'connector_x' }, 'connector_id'],
    [
      { type: 'mcp', server_label: 's', server_url: 'u', require_approval: 'x' },
      'require_approval',
    ],
    [{ type: 'mcp', server_label: 's', server_url: 'u', headers: { a: 1 } }, 'headers.a'],
    [{ type: 'mcp', server_label: 's', server_url: 'u', allowed_tools: [1] }, 'allowed_tools[0]'],
    [{ type: 'image_generation', quality: 'best' }, 'quality'],
    [{ type: 'image_generation', output_compression: 101 }, 'output_compression'],
    [{ type: 'namespace', name: 'n', tools: [] }, 'description'],
    [{ type: 'namespace', name: 'a b', description: 'd', tools: [] }, 'name'],
    [namespace([{ type: 'namespace' }]), 'tools[0].type'],
    [namespace([tool('f'), tool('f')]), 'tools[1].name'],
    [namespace([tool('f', { allowed_callers: ['me'] })]), 'tools[0].allowed_callers[0]'],
    [namespace([tool('f', { output_schema: 'x' })]), 'tools[0].output_schema'],
  ])('that is wrong is refused: %o', (fields, path) => {
    expect(issuePaths({ tools: [fields] })).toContain(`tools[0].${path}`);
  });
});

describe('a bound of calls', () => {
  const bound = (fields: Body) =>
    accepted({ max_tool_calls: 40, ...fields }).inference.options?.nativeCallsMax;

  test('is for the tools of the provider, and at most 30', () => {
    expect(bound({ tools: [{ type: 'apply_patch' }] })).toBe(30);
    expect(bound({ tools: [{ type: 'apply_patch' }], max_tool_calls: 2 })).toBe(2);
    expect(bound({ tools: [tool('f')] })).toBeUndefined();
    expect(accepted({ max_tool_calls: 40 }).echo.max_tool_calls).toBe(30);
  });

  test('that the client does not name is told where the provider runs a tool', () => {
    const told = (type: string) => accepted({ tools: [{ type }] }).echo.max_tool_calls;
    const search = { type: 'file_search', vector_store_ids: ['vs_1'] };
    expect(accepted({ tools: [search] }).echo.max_tool_calls).toBe(3);
    expect(accepted({ tools: [search], max_tool_calls: 9 }).echo.max_tool_calls).toBe(9);
    expect(told('apply_patch')).toBeNull();
  });

  test.each([
    { type: 'image_generation' },
    { type: 'shell', environment: { type: 'container_auto' } },
    { type: 'mcp', server_label: 's', server_url: 'https://mcp.example' },
    { type: 'web_search' },
  ])('is that of the service for a hosted tool that it runs itself: $type', (hosted) => {
    expect(accepted({ tools: [hosted] }).echo.max_tool_calls).toBe(30);
    expect(accepted({ tools: [hosted], max_tool_calls: 4 }).echo.max_tool_calls).toBe(4);
    const stop_server_tools_when = [{ type: 'step_count_is', step_count: 2 }];
    expect(accepted({ tools: [hosted], stop_server_tools_when }).echo.max_tool_calls).toBeNull();
  });

  test('is that of the provider for a shell of the client and a connector', () => {
    const told = (tool: Body) => accepted({ tools: [tool] }).echo.max_tool_calls;
    expect(told({ type: 'mcp', server_label: 's', connector_id: 'connector_gmail' })).toBe(3);
    expect(told({ type: 'shell', environment: { type: 'local' } })).toBe(3);
  });
});

describe('tools', () => {
  test('are at most 128, with those in namespaces', () => {
    const half = many(64, (index) => tool(`f${String(index)}`));
    expect(accepted({ tools: [namespace(half), ...half] }).inference.tools).toHaveLength(128);
    expect(issuePaths({ tools: [namespace(half), ...half, tool('one')] })).toEqual(['tools']);
  });

  test('in namespaces have calls that say so', () => {
    const named = { ...call('a'), namespace: 'crm' };
    const { inference } = accepted({
      input: [message('hi'), named, output('a')],
      tools: [namespace([tool('f')])],
    });
    expect(inference.items[1]).toMatchObject({ name: 'f', namespace: 'crm' });
    expect(issuePaths({ input: [{ ...named, namespace: 7 }, output('a')] })).toEqual([
      'input[0].namespace',
    ]);
  });

  test('may say that they are answered later, also in namespaces', () => {
    const later = tool('f', { async: true });
    const input = [message('hi'), call('a')];
    for (const tools of [[later], [namespace([later])]])
      expect(accepted({ input, tools }).inference.items).toHaveLength(2);
    expect(issuePaths({ input, tools: [namespace([tool('f')])] })).toEqual(['input[1].call_id']);
    expect(accepted({ tools: [later] }).inference.tools).toMatchObject([{ isAsync: true }]);
    expect(accepted({ tools: [tool('f')] }).inference.tools[0]).not.toHaveProperty('isAsync');
  });

  test('that an item adds must exist, and the item must have a role', () => {
    const adding = (fields: Body) =>
      issuePaths({ input: [{ type: 'additional_tools', ...fields }] });
    expect(adding({ role: 'developer' })).toEqual(['input[0].tools']);
    expect(adding({ tools: [] })).toEqual(['input[0].role']);
    expect(adding({ tools: [], role: 'me' })).toEqual(['input[0].role']);
    expect(adding({ tools: [{ type: 'nail' }], role: 'critic' })).toEqual([
      'input[0].tools[0].type',
    ]);
  });
});

describe('a choice', () => {
  const tools = [
    tool('f'),
    { type: 'custom', name: 'sql' },
    { type: 'apply_patch' },
    { type: 'mcp', server_label: 's', server_url: 'u' },
    { type: 'computer' },
    namespace([tool('find')]),
  ];
  const choice = (tool_choice: unknown) => accepted({ tools, tool_choice }).inference.toolChoice;
  const wrong = (tool_choice: unknown, given: readonly unknown[] = tools) =>
    issuePaths({ tools: given, tool_choice });

  test.each<[unknown, unknown]>([
    [null, { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [
      { type: 'function', name: 'f' },
      { type: 'function', name: 'f' },
    ],
    [
      { type: 'function', name: 'find' },
      { type: 'function', namespace: 'crm', name: 'find' },
    ],
    [
      { type: 'custom', name: 'sql' },
      { type: 'custom', name: 'sql' },
    ],
    [{ type: 'apply_patch' }, { type: 'native', tool: { type: 'apply_patch' } }],
    [{ type: 'computer' }, { type: 'native', tool: { type: 'computer' } }],
    [{ type: 'computer_use' }, { type: 'native', tool: { type: 'computer_use' } }],
    [
      { type: 'mcp', server_label: 's' },
      { type: 'native', tool: { type: 'mcp', server_label: 's' } },
    ],
    [
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'custom', name: 'sql' },
          { type: 'namespace', name: 'crm' },
          { type: 'apply_patch' },
        ],
      },
      {
        type: 'allowed',
        mode: 'auto',
        tools: [{ name: 'f' }, { name: 'sql' }, { namespace: 'crm', name: 'find' }],
        natives: [{ type: 'apply_patch' }],
      },
    ],
  ])('%o', (given, read) => {
    expect(choice(given)).toEqual(read);
  });

  test.each<[unknown, string]>([
    ['any', 'tool_choice'],
    [7, 'tool_choice'],
    [{}, 'tool_choice.type'],
    [{ type: 'constructor' }, 'tool_choice.type'],
    [{ type: 'function' }, 'tool_choice.name'],
    [{ type: 'function', name: 'sql' }, 'tool_choice.name'],
    [{ type: 'custom', name: 'f' }, 'tool_choice.name'],
    [{ type: 'shell' }, 'tool_choice.type'],
    [{ type: 'web_search_preview' }, 'tool_choice.type'],
    [{ type: 'web_search_preview_2025_03_11' }, 'tool_choice.type'],
    [{ type: 'service:bash' }, 'tool_choice.type'],
    [{ type: 'allowed_tools', tools: [] }, 'tool_choice.mode'],
    [{ type: 'allowed_tools', mode: 'auto' }, 'tool_choice.tools'],
    [{ type: 'allowed_tools', mode: 'required', tools: [] }, 'tool_choice.tools'],
    [{ type: 'allowed_tools', mode: 'auto', tools: ['f'] }, 'tool_choice.tools[0]'],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'g' }] },
      'tool_choice.tools[0].name',
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'shell' }] },
      'tool_choice.tools[0].type',
    ],
  ])('that cannot be is refused: %o', (given, path) => {
    expect(wrong(given)).toEqual([path]);
  });

  test('may name a search of the web by another of its kinds', () => {
    for (const type of ['web_search', 'service:web_search']) {
      const { inference } = accepted({
        tools: [{ type }],
        tool_choice: { type: 'web_search_preview' },
      });
      expect(inference.toolChoice).toEqual({
        type: 'native',
        tool: { type: 'web_search_preview' },
      });
    }
  });
});
