import {
  addressKey,
  addressOf,
  type InferenceRequest,
  type InputItem,
  type StreamPart,
  type Tool,
} from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeformArguments } from './freeform-input.ts';
import { renderTools } from './render-tools.ts';
import { usualNames } from '../plain-request.ts';

const asked = (fields: Partial<InferenceRequest>): InferenceRequest => ({
  items: [],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  stream: true,
  ...fields,
});
const plain = { description: undefined, parameters: undefined, strict: undefined } as const;
const crm = { name: 'crm', description: 'Customers.' };
const find: Tool = { type: 'function', namespace: crm, name: 'find', ...plain };
const sql: Tool = { type: 'custom', name: 'sql', description: 'Runs SQL.', format: undefined };
const geminiNames = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'a__b', 'b__a', '_', '__', '1', '-', 'x'.repeat(64), 'y'.repeat(40)),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
);
const tool: fc.Arbitrary<Tool> = fc
  .record({ isCustom: fc.boolean(), name, group: fc.option(name) })
  .map(({ isCustom, name: own, group }) => ({
    ...(isCustom
      ? { type: 'custom', description: undefined, format: undefined }
      : { type: 'function', ...plain }),
    name: own,
    ...(group !== null && { namespace: { name: group, description: undefined } }),
  }));
const table = fc.uniqueArray(tool, { maxLength: 20, selector: (one) => callKey(one) });

function callKey(one: Tool): string {
  return one.type === 'native' ? '' : addressKey(one);
}

describe('a table of tools', () => {
  test.each([usualNames, geminiNames])(
    'gets unique names, and calls get them back: %s',
    (names) => {
      fc.assert(
        fc.property(table, (tools) => {
          const { request, restore = (parts) => parts } = renderTools(asked({ tools }), names);
          const called = request.tools.map((one) => ('name' in one ? one.name : ''));
          expect(new Set(called).size).toBe(tools.length);
          for (const each of called) expect(each).toMatch(names);
          const parts = called.map((each, part): StreamPart => {
            return { type: 'tool-call-start', part, callId: 'c', name: each };
          });
          const restored = restore(parts).map((part) =>
            part.type === 'tool-call-start' ? [part.isCustom ?? false, addressOf(part)] : part,
          );
          expect(restored).toEqual(
            tools.map((one) => [one.type === 'custom', one.type !== 'native' && addressOf(one)]),
          );
        }),
        { numRuns: 500 },
      );
    },
  );

  test('has the same names in the history and in a choice', () => {
    fc.assert(
      fc.property(table, (tools) => {
        const named = tools.flatMap((one) => (one.type === 'native' ? [] : addressOf(one)));
        const items = named.map((address): InputItem => {
          return { type: 'function-call', callId: 'c', arguments: '{}', ...address };
        });
        const toolChoice = { type: 'allowed', mode: 'auto', tools: named } as const;
        const { request } = renderTools(asked({ tools, items, toolChoice }), usualNames);
        const declared = request.tools.map((one) => ('name' in one ? one.name : ''));
        expect(request.items.map((item) => ('name' in item ? item.name : ''))).toEqual(declared);
        expect(request.toolChoice).toMatchObject({
          tools: declared.map((each) => ({ name: each })),
        });
      }),
    );
  });

  test('names a tool the same, whatever other tools there are', () => {
    const long: Tool = { ...find, namespace: { ...crm, name: 'n'.repeat(60) } };
    const nameIn = (...tools: readonly Tool[]) =>
      renderTools(asked({ tools: [...tools, long] }), usualNames).request.tools.at(-1);
    expect(nameIn(find, sql)).toEqual(nameIn());
    expect(nameIn()).toMatchObject({ name: expect.stringMatching(/^n+__find_[0-9a-f]{10}$/) });
  });

  test('that is plain leaves the request as it is', () => {
    const request = asked({ tools: [{ type: 'function', name: 'f', ...plain }] });
    const rendered = renderTools(request, usualNames);
    expect(rendered.request).toBe(request);
    expect(rendered.restore).toBeUndefined();
  });
});

describe('a function that stands for a tool', () => {
  const described = (tools: readonly Tool[], toolChoice?: InferenceRequest['toolChoice']) =>
    renderTools(asked({ tools, ...(toolChoice && { toolChoice }) }), usualNames).request.tools.map(
      (one) => (one.type === 'function' ? one.description : undefined),
    );

  test('says what its namespace is for, and how its input is formed', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } as const;
    expect(described([find, { ...sql, namespace: crm, format }])).toEqual([
      'crm: Customers.',
      'crm: Customers.\n\nRuns SQL.\n\nThe input must match this Lark grammar:\nstart: "a"',
    ]);
  });

  test('repeats no long description of a namespace, and tells it with the first allowed tool', () => {
    const namespace = { name: 'crm', description: 'x'.repeat(300) };
    const members = ['a', 'b', 'c'].map((own): Tool => ({ ...find, namespace, name: own }));
    const told = `crm: ${namespace.description}`;
    expect(described(members)).toEqual([told, undefined, undefined]);
    const tools = [{ namespace: 'crm', name: 'b' }];
    expect(described(members, { type: 'allowed', mode: 'auto', tools })).toEqual([
      undefined,
      told,
      undefined,
    ]);
  });

  test('takes the input of a freeform tool, in the history too', () => {
    const items: readonly InputItem[] = [
      { type: 'custom-tool-call', callId: 'c', name: 'sql', input: 'SELECT "x"' },
      { type: 'custom-tool-call-output', callId: 'c', output: 'one' },
    ];
    const { request } = renderTools(asked({ tools: [sql], items }), usualNames);
    expect(request.tools).toMatchObject([
      { type: 'function', parameters: { required: ['input'] } },
    ]);
    expect(request.items).toEqual([
      { type: 'function-call', callId: 'c', name: 'sql', arguments: '{"input":"SELECT \\"x\\""}' },
      { type: 'function-call-output', callId: 'c', output: 'one' },
    ]);
  });
});

describe('a call of a freeform tool', () => {
  const start = (part: number, own = 'sql'): StreamPart => ({
    type: 'tool-call-start',
    part,
    callId: 'c',
    name: own,
  });
  const delta = (part: number, text: string): StreamPart => ({
    type: 'tool-call-delta',
    part,
    delta: text,
  });
  const end = (part: number): StreamPart => ({ type: 'tool-call-end', part });
  const read = (...parts: readonly StreamPart[]): readonly StreamPart[] => {
    const { restore = () => [] } = renderTools(asked({ tools: [sql] }), usualNames);
    return parts.flatMap((part) => restore([part]));
  };
  const inputOf = (...deltas: readonly string[]) =>
    read(start(0), ...deltas.map((text) => delta(0, text)), end(0))
      .map((part) => (part.type === 'tool-call-delta' ? part.delta : ''))
      .join('');

  test('streams its input while it arrives', () => {
    expect(
      read(start(0), delta(0, '{"inp'), delta(0, 'ut": "SEL'), delta(0, 'ECT"}'), end(0)),
    ).toEqual([{ ...start(0), isCustom: true }, delta(0, 'SEL'), delta(0, 'ECT'), end(0)]);
  });

  test('has the whole input, wherever the arguments are cut', () => {
    const input = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.constant('a\n"\\\u{1f600}'),
    );
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 9 }), fc.boolean(), (text, size, isEscaped) => {
        const json = freeformArguments(text);
        const sent = isEscaped ? json.replaceAll(/[^ -~]/g, (one) => escaped(one)) : json;
        const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) =>
          sent.slice(index * size, (index + 1) * size),
        );
        expect(inputOf(...pieces)).toBe(text);
      }),
    );
  });

  test('has no half characters in a delta', () => {
    const parts = read(start(0), delta(0, '{"input":"\\ud83d'), delta(0, '\\ude00"}'), end(0));
    expect(parts.slice(1)).toEqual([delta(0, '\u{1f600}'), end(0)]);
  });

  test.each([
    ['{"other":1,"input":"x"}', 'x'],
    ['{"input":1}', '{"input":1}'],
    ['{"other":1}', '{"other":1}'],
    ['{"patch":"*** Begin Patch\\n"}', '*** Begin Patch\n'],
    ['{"patch":"a","path":"b"}', '{"patch":"a","path":"b"}'],
    ['"*** Begin Patch\\n"', '*** Begin Patch\n'],
    ['*** Begin Patch\n*** End Patch', '*** Begin Patch\n*** End Patch'],
    ['[]', '[]'],
    ['SELECT', 'SELECT'],
    [' { "input" : "x" } ', 'x'],
    [`${' '.repeat(2_000)}{"input":"x"}`, 'x'],
  ])('with other arguments emits what they have: %s', (text, input) => {
    expect(inputOf(...Array.from(text))).toBe(input);
    expect(inputOf(text)).toBe(input);
  });

  test('that was cut keeps the input that arrived', () => {
    const finish: StreamPart = {
      type: 'finish',
      reason: 'length',
      nativeReason: 'length',
      usage: undefined,
    };
    expect(read(start(0), delta(0, '{"input":"SEL\\u00'), finish).slice(1)).toEqual([
      delta(0, 'SEL'),
      finish,
    ]);
  });

  test('leaves parallel calls of other tools unchanged', () => {
    const parts = read(start(0, 'f'), start(1), delta(0, '{}'), delta(1, '{"input":"x"}'), end(0));
    expect(parts).toEqual([
      start(0, 'f'),
      { ...start(1), isCustom: true },
      delta(0, '{}'),
      delta(1, 'x'),
      end(0),
    ]);
  });
});

function escaped(text: string): string {
  return [...Array(text.length).keys()]
    .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
