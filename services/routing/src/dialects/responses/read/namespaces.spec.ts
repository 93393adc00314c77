import { describe, expect, test } from 'vitest';
import {
  accepted,
  call,
  issuePaths,
  message,
  output,
  refused,
  tool,
  type Body,
} from '../testing/request-body.ts';

const group = (name: string, ...tools: readonly Body[]): Body => ({
  type: 'namespace',
  name,
  description: `about ${name}`,
  tools,
});

describe('the tools of a namespace', () => {
  test('have addresses, and the response repeats them as they came', () => {
    const given = group(
      'crm',
      tool('find', {
        allowed_callers: ['direct'],
        output_schema: { type: 'object' },
        strict: true,
        async: true,
      }),
      { type: 'custom', name: 'query', format: { type: 'text' } },
    );
    const { inference, echo } = accepted({ tools: [given, tool('find')] });
    const namespace = { name: 'crm', description: 'about crm' };
    expect(inference.tools).toEqual([
      {
        type: 'function',
        namespace,
        name: 'find',
        description: undefined,
        parameters: undefined,
        strict: true,
        isAsync: true,
        outputSchema: { type: 'object' },
        allowedCallers: ['direct'],
      },
      {
        type: 'custom',
        namespace,
        name: 'query',
        description: undefined,
        format: { type: 'text' },
      },
      expect.objectContaining({ name: 'find' }),
    ]);
    expect(echo.tools[0]).toEqual(given);
  });

  test('may have the name of a tool outside, or of their namespace', () => {
    const tools = [tool('crm'), group('crm', tool('crm')), group('erp', tool('crm'))];
    expect(accepted({ tools }).inference.tools).toHaveLength(3);
    expect(issuePaths({ tools: [group('crm'), group('crm')] })).toEqual(['tools[1].name']);
  });

  test.each<[string, readonly Body[], string, string]>([
    [
      'of two namespaces',
      [group('a__b', tool('c')), group('a', tool('b__c'))],
      'tools[1].tools[0].name',
      'b__c of the namespace a and c of the namespace a__b are both a__b__c',
    ],
    [
      'of a namespace and outside',
      [tool('a__b'), group('a', tool('b'))],
      'tools[1].tools[0].name',
      'b of the namespace a and the tool a__b are both a__b',
    ],
  ])('that would get one name are refused by both names: %s', (_, tools, path, reason) => {
    expect(issuePaths({ tools })).toEqual([path]);
    expect(refused({ tools }).message).toContain(reason);
  });

  test('that an item adds are checked against the others', () => {
    const added = { type: 'additional_tools', role: 'developer', tools: [group('a', tool('b'))] };
    expect(issuePaths({ input: [message('hi'), added], tools: [tool('a__b')] })).toEqual([
      'input[1].tools[0].tools[0].name',
    ]);
    const replaced = group('a', tool('c'));
    const { inference } = accepted({ input: [message('hi'), added], tools: [replaced] });
    expect(inference.tools).toMatchObject([{ namespace: { name: 'a' }, name: 'b' }]);
  });
});

describe('a choice of a tool of a namespace', () => {
  const tools = [group('a', tool('x'), tool('y')), group('b', tool('x')), tool('y')];
  const choice = (tool_choice: unknown) => accepted({ tools, tool_choice }).inference.toolChoice;

  test('names the namespace where the name is not enough', () => {
    expect(choice({ type: 'function', name: 'x', namespace: 'b' })).toEqual({
      type: 'function',
      namespace: 'b',
      name: 'x',
    });
    expect(choice({ type: 'function', name: 'y' })).toEqual({ type: 'function', name: 'y' });
    expect(refused({ tools, tool_choice: { type: 'function', name: 'x' } }).message).toContain(
      'names tools of several namespaces',
    );
    expect(
      issuePaths({ tools, tool_choice: { type: 'function', name: 'x', namespace: 'c' } }),
    ).toEqual(['tool_choice.name']);
  });

  test('may allow a whole namespace, each tool once', () => {
    const allowed = [
      { type: 'namespace', name: 'a' },
      { type: 'function', name: 'x' },
    ];
    expect(choice({ type: 'allowed_tools', mode: 'auto', tools: allowed })).toEqual({
      type: 'allowed',
      mode: 'auto',
      tools: [
        { namespace: 'a', name: 'x' },
        { namespace: 'a', name: 'y' },
        { namespace: 'b', name: 'x' },
      ],
    });
  });
});

describe('a call in the history', () => {
  const input = [message('hi'), call('1'), output('1')];
  const items = (...tools: readonly Body[]) => accepted({ input, tools }).inference.items;

  test('without a namespace gets that of the one tool with its name', () => {
    expect(items(group('a', tool('f')))[1]).toMatchObject({ namespace: 'a', name: 'f' });
    for (const tools of [
      [group('a', tool('f')), group('b', tool('f'))],
      [group('a', tool('f')), tool('f')],
      [group('a', tool('g'))],
    ])
      expect(items(...tools)[1]).not.toHaveProperty('namespace');
  });

  test('without an output is accepted with a warning if the conversation went on', () => {
    const { warning, inference } = accepted({ input: [call('1'), message('no')], surprise: 1 });
    expect(warning).toBe(
      'unknown field surprise; no output of call 1 of f: the model is told interrupted',
    );
    expect(inference.items).toHaveLength(2);
  });
});
