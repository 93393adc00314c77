import type { Tool, ToolChoice } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { leaveOutTools } from './leave-out-tools.ts';

const named: Tool = {
  type: 'function',
  name: 'f',
  description: undefined,
  parameters: undefined,
  strict: undefined,
};
const hosted = (kind: string): Tool => ({ type: 'native', tool: { type: kind } });
const isServed = ({ type }: { readonly type?: unknown }) => type === 'shell';
const served = (tools: readonly Tool[], toolChoice: ToolChoice = { type: 'auto' }) =>
  leaveOutTools({ tools, toolChoice }, isServed);

describe('a hosted tool that nothing runs', () => {
  test.each<ToolChoice>([
    { type: 'auto' },
    { type: 'none' },
    { type: 'required' },
    { type: 'function', name: 'f' },
    { type: 'native', tool: { type: 'shell' } },
    { type: 'allowed', mode: 'required', tools: [{ name: 'f' }] },
    { type: 'allowed', mode: 'auto', tools: [], natives: [{ type: 'shell' }] },
  ])('is left out beside others, whose choice stays: %o', (toolChoice) => {
    const tools = [hosted('web_search'), named, hosted('shell'), hosted('web_search')];
    expect(served(tools, toolChoice)).toEqual({
      request: { tools: [named, hosted('shell')], toolChoice },
      leftOut: ['web_search'],
    });
  });

  test('is left out of a list of allowed tools, too', () => {
    const natives = [{ type: 'web_search_preview' }, { type: 'shell' }];
    const choice = { type: 'allowed', mode: 'auto', tools: [{ name: 'f' }] } as const;
    const tools = [hosted('web_search'), named, hosted('shell')];
    expect(served(tools, { ...choice, natives })?.request.toolChoice).toEqual({
      ...choice,
      natives: [{ type: 'shell' }],
    });
    expect(served(tools, { ...choice, natives: natives.slice(0, 1) })?.request.toolChoice).toEqual(
      choice,
    );
  });

  test.each<[string, readonly Tool[], ToolChoice]>([
    ['alone', [hosted('web_search'), hosted('service:datetime')], { type: 'auto' }],
    ['forced', [hosted('web_search'), named], { type: 'native', tool: { type: 'web_search' } }],
    [
      'forced by a synonym',
      [hosted('web_search'), named],
      { type: 'native', tool: { type: 'web_search_preview' } },
    ],
    [
      'the only one that is allowed',
      [hosted('web_search'), named],
      { type: 'allowed', mode: 'auto', tools: [], natives: [{ type: 'web_search' }] },
    ],
  ])('%s cannot be left out', (_, tools, choice) => {
    expect(served(tools, choice)).toBeUndefined();
  });
});

test('a request whose tools are all served stays the same', () => {
  for (const tools of [[], [named], [named, hosted('shell')]]) {
    const request = { tools, toolChoice: { type: 'auto' } } as const;
    expect(leaveOutTools(request, isServed)?.request).toBe(request);
  }
});
