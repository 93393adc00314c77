import { describe, expect, test } from 'vitest';
import { call, issuePaths, output, refused, tool, type Body } from './testing/request-body.ts';

const agent = { type: 'service:subagent', id: 'st_1', call_id: 's', status: 'in_progress' };

describe('what is not built yet is refused, never ignored:', () => {
  test.each<[Body, string, string]>([
    [{ model: 'service/auto' }, 'model', 'the router service/auto'],
    [
      { models: ['a/b', 'service/pareto-code:nitro'] },
      'models[1]',
      'the router service/pareto-code',
    ],
    [{ model: 'a/b:online' }, 'model', 'the plugin web, which :online stands for,'],
    [{ truncation: 'auto' }, 'truncation', 'auto needs the plugin context-compression, which'],
    [
      { input: [agent, { ...call('a'), subagent_id: 's' }, output('a')] },
      'input[1].subagent_id',
      'the tool service:subagent',
    ],
  ])('%o', (fields, path, name) => {
    expect(refused(fields)).toMatchObject({
      rejected: 'invalid_request',
      message: `Invalid request: ${path}: ${name} is known, but not available yet`,
    });
  });
});

describe('nothing is stored:', () => {
  test.each<[Body, string]>([
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ store: true }, 'store'],
    [{ background: true }, 'background'],
    [{ n: 2 }, 'n'],
    [{ n: '1' }, 'n'],
  ])('%o', (fields, path) => {
    expect(issuePaths(fields)).toEqual([path]);
  });

  test('no preset exists, wherever it is named', () => {
    for (const fields of [
      { preset: 'fast' },
      { model: '@preset/fast' },
      { model: 'a/b@preset/fast' },
      { models: ['a/b@preset/fast'] },
    ])
      expect(refused(fields)).toMatchObject({
        rejected: 'not_found',
        message: 'there is no preset "fast"',
      });
    expect(refused({ preset: 7 }).rejected).toBe('invalid_request');
  });
});

describe('a tool that is deferred', () => {
  const later = tool('f', { defer_loading: true });
  const search = { type: 'service:tool_search' };

  test.each<[string, Body, string]>([
    ['needs one that finds it', { tools: [tool('g'), later] }, 'tools[1].defer_loading'],
    [
      'needs one also within a namespace',
      { tools: [{ type: 'namespace', name: 'n', description: 'd', tools: [later] }] },
      'tools[0].tools[0].defer_loading',
    ],
    [
      'is not the one that finds the others',
      { tools: [tool('g'), { ...search, defer_loading: true }] },
      'tools[1].defer_loading',
    ],
    [
      'is not every tool there is',
      { tools: [later, { type: 'tool_search', defer_loading: true }] },
      'tools',
    ],
    [
      'cannot be forced',
      { tools: [later, search], tool_choice: { type: 'function', name: 'f' } },
      'tool_choice',
    ],
    ['cannot be demanded', { tools: [later, search], tool_choice: 'required' }, 'tool_choice'],
    [
      'has a flag that is one',
      { tools: [tool('f', { defer_loading: 'yes' })] },
      'tools[0].defer_loading',
    ],
  ])('%s', (_, fields, path) => {
    expect(issuePaths(fields)).toContain(path);
  });

  test('is otherwise refused for the search that is not built alone', () => {
    for (const choice of ['auto', null, { type: 'allowed_tools', mode: 'auto', tools: [search] }])
      expect(refused({ tools: [later, search], tool_choice: choice }).metadata).toEqual({
        issues: [
          {
            path: 'tools[1].type',
            message: 'the tool service:tool_search is known, but not available yet',
          },
        ],
      });
  });
});
