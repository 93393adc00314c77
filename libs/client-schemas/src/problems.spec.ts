import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { formed, integer, listOf, mapOf, oneOf, optional, text, withOneOf } from './fields.ts';
import { type Problem, problemsOf } from './problems.ts';
import { isResponsesBody, responsesBody } from './responses/body.ts';

const listed = (problems: readonly Problem[]) =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));

describe('the problems of a value', () => {
  const shape = Type.Union(
    [
      Type.Object({ type: oneOf('circle'), radius: integer(1, 9) }),
      Type.Object(
        { type: oneOf('square'), side: optional(text()), corner: optional(text()) },
        withOneOf('side', 'corner'),
      ),
      Type.Object({ type: optional(oneOf('note')), role: oneOf('title'), text: text({ max: 3 }) }),
    ],
    { mustBe: 'a shape' },
  );
  const drawing = Type.Object(
    {
      shapes: listOf(shape, { min: 1, max: 3 }),
      names: optional(mapOf(text(), { maxProperties: 2, propertyNames: text({ max: 4 }) })),
      scale: optional(Type.Union([Type.Number(), oneOf('auto')])),
    },
    { additionalProperties: false },
  );
  const problems = (value: unknown, max = 20) => listed(problemsOf(drawing, value, { max }));

  test.each<[unknown, readonly string[]]>([
    [7, ['must be an object']],
    [{}, ['shapes: is required']],
    [{ shapes: null }, ['shapes: is required']],
    [{ shapes: [] }, ['shapes: must have at least 1 items']],
    [{ shapes: ['x', {}] }, ['shapes[0]: must be a shape', 'shapes[1].type: is required']],
    [{ shapes: [{ type: 'line' }] }, ['shapes[0].type: must be one of circle, square, note']],
    [
      { shapes: [{ type: 'circle', radius: 10 }, { type: 'circle' }] },
      ['shapes[0].radius: must be at most 9', 'shapes[1].radius: is required'],
    ],
    [{ shapes: [{ type: 'square', side: null }] }, ['shapes[0].side: is required, or corner']],
    [
      { shapes: [{ role: 'title', text: 'long' }] },
      ['shapes[0].text: must have at most 3 characters'],
    ],
    [
      { shapes: [{ type: 'note', text: '' }], color: 1 },
      ['color: there is no such field', 'shapes[0].role: is required'],
    ],
    [
      { shapes: [{ type: 'square', side: '', corner: 'a' }], names: { short: 'a', b: 1 } },
      ['names.short: the key must have at most 4 characters', 'names.b: must be a string'],
    ],
    [
      { shapes: [{ type: 'square', side: 'a' }], names: { a: 'a', b: 'b', c: 'c' } },
      ['names: must have at most 2 pairs'],
    ],
    [{ shapes: [{ type: 'square', side: 'a' }], scale: true }, ['scale: must be one of auto']],
  ])('%j', (value, expected) => deepEqual(problems(value), expected));

  test('are of the kind that is named, beside one that allows any word of a pattern', () => {
    const kinds = Type.Union([
      Type.Object({ type: oneOf('text'), text: text() }),
      Type.Object({ type: oneOf('image'), url: text() }),
      Type.Object({ type: formed('^[a-z]+_result$', 'a known kind') }),
    ]);
    const found = (value: unknown) => listed(problemsOf(kinds, value, { max: 20 }));
    deepEqual(found({ type: 'image', url: 7 }), ['url: must be a string']);
    deepEqual(found({ type: 'sound' }), ['type: must be a known kind']);
  });

  test('are as many as were asked for', () => {
    equal(problems({ shapes: [1, 2, 3] }, 2).length, 2);
  });
});

/** A body with every kind of value that a request may have. */
const rich = {
  model: 'm',
  models: ['a'],
  instructions: 'i',
  provider: {
    order: ['a'],
    sort: { by: 'price', partition: 'none' },
    quantizations: ['fp8'],
    preferred_max_latency: { p50: 1 },
    max_price: { prompt: '1.5', image: 2 },
  },
  input: [
    { role: 'user', content: 'a' },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
        { type: 'input_file', file_data: 'data:text/plain;base64,aGk=', filename: 'a' },
        { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
        { type: 'input_video', video_url: 'https://a.example/b.mp4' },
      ],
    },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'a' }] },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 's' }] },
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'g' }] },
    {
      type: 'web_search_call',
      id: 'w',
      status: 'completed',
      action: { type: 'search', query: 'q' },
    },
    {
      type: 'shell_call_output',
      call_id: 's',
      output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
    },
    { type: 'mcp_call', id: 'm', server_label: 's', name: 'n', arguments: '', error: 'e' },
    { type: 'service:datetime', status: 'completed', datetime: 'now' },
  ],
  tools: [
    { type: 'function', name: 'f', parameters: {}, strict: true },
    { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'd' } },
    { type: 'namespace', name: 'n', description: 'd', tools: [{ type: 'function', name: 'h' }] },
    { type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } },
    { type: 'mcp', server_label: 's', server_url: 'u', allowed_tools: ['a'], headers: { a: 'b' } },
    { type: 'service:bash' },
  ],
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
  prompt: { id: 'p', variables: { a: 'b', c: { type: 'input_text', text: 'd' } } },
  text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema: {} } },
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'high', summary: 'auto' },
  image_config: { size: '1', list: [1], none: null },
  metadata: { a: 'b' },
  user: 'u',
  trace: { trace_id: 't', more: 1 },
  plugins: [
    { id: 'alignment', rules: ['r'] },
    { id: 'web', enabled: false },
  ],
  stop_server_tools_when: [{ type: 'max_cost', max_cost_in_dollars: 0.5 }],
  store: false,
  n: 1,
};

/** Every place of a value: the object or list, and the name in it. */
function placesOf(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [
    [holder, name] as const,
    ...placesOf(holder[name]),
  ]);
}

const other = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'x', 'auto', -1, 0.5, 1e300, true, [], {}, [{}]),
  fc.jsonValue({ maxDepth: 2 }),
);

describe('a body of /responses', () => {
  test('is accepted as it should be', () => {
    deepEqual(listed(problemsOf(responsesBody, rich, { max: 20 })), []);
    ok(isResponsesBody(rich));
  });

  test('has a problem exactly if its schema does not accept it, whatever is changed', () => {
    const change = fc.tuple(fc.nat(), other);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const body = structuredClone(rich);
        for (const [index, value] of changes) {
          const places = placesOf(body);
          const [holder, name] = places[index % places.length] ?? [];
          if (holder && name !== undefined) holder[name] = structuredClone(value);
        }
        const sent: unknown = JSON.parse(JSON.stringify(body));
        const problems = listed(problemsOf(responsesBody, sent, { max: 20 }));
        equal(problems.length === 0, isResponsesBody(sent), JSON.stringify([sent, problems]));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a rule about several fields is told at their object, once each of them is right', () => {
  const range = Type.Refine(
    Type.Object({ from: integer(0), to: integer(0) }),
    ({ from, to }) => from <= to,
    () => 'must not end before it begins',
  );
  const schema = Type.Object({ range });
  const problems = (value: unknown) => listed(problemsOf(schema, value, { max: 5 }));
  deepEqual(problems({ range: { from: 1, to: 2 } }), []);
  deepEqual(problems({ range: { from: 2, to: 1 } }), ['range: must not end before it begins']);
  deepEqual(problems({ range: { from: 2, to: -1 } }), ['range.to: must be at least 0']);
});
