import { describe, expect, test } from 'vitest';
import { issuePaths, message, refused, tool, type Body } from '../testing/request-body.ts';

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
  const added = { type: 'additional_tools', role: 'developer', tools: [later] };
  const namespace = { type: 'namespace', name: 'n', description: 'd', tools: [later] };

  test.each<[Body, string]>([
    [{ tools: [tool('g'), later] }, 'tools[1].defer_loading'],
    [{ tools: [namespace] }, 'tools[0].tools[0].defer_loading'],
    [{ input: [message('hi'), added] }, 'input[1].tools[0].defer_loading'],
  ])('needs a tool that finds it: %o', (fields, path) => {
    expect(refused(fields).metadata).toEqual({
      issues: [{ path, message: 'needs the tool service:tool_search beside it' }],
    });
  });

  test('has a flag that is one', () => {
    const tools = [tool('f', { defer_loading: 'yes' })];
    expect(issuePaths({ tools })).toEqual(['tools[0].defer_loading']);
  });
});
