import { AssertionError, ok } from 'node:assert/strict';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { addressOf, type InferenceRequest, type InputItem, type Tool } from '@sluice/inference';
import { compatibleChat, type Dialect, dialects, hasToolKind, wireBody } from '@sluice/providers';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { requestFor } from '../selection/parameters.ts';
import { runInputStages } from '../stages/run-input-stages.ts';
import type { InputStage, StageContext } from '../stages/stage.ts';
import { callOf } from '../testing/text-call.ts';
import { textRequest } from '../testing/text-request.ts';
import { forAttempt } from '../turn/for-attempt.ts';
import type { HeldTurn } from '../turn/turn.ts';
import { inputBounds, inputMeasure } from './input-bound.ts';
import { worstCase } from './worst-case.ts';

// The text that an endpoint is sent, whatever its dialect and the stages add, is never more than was held for.

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ maxLength: 30, unit: 'grapheme' }),
  fc.constantFrom(
    'long '.repeat(100),
    '[' + '1e20,'.repeat(60) + '1]',
    '\n'.repeat(300),
    '"\\\n\n"',
    '\u0001\u0002',
    '{"a":[1e20,1E19,1e-6]}',
    '[1e20,1e20,1e20,1e20]',
    '日本',
  ),
);
const name = fc.stringMatching(/^[a-z_]{1,64}$/);
const calledName = fc.oneof(name, fc.string({ minLength: 1, maxLength: 80 }));
const group = fc.record({ name, description: fc.option(text, { nil: undefined }) });

/** Puts some of the values into a namespace. */
function grouped<Value extends object, Group>(
  values: fc.Arbitrary<Value>,
  namespaces: fc.Arbitrary<Group>,
): fc.Arbitrary<Value & { readonly namespace?: Group }> {
  return fc
    .tuple(values, fc.option(namespaces))
    .map(([value, namespace]) => (namespace === null ? value : { ...value, namespace }));
}

const id = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ minLength: 1, maxLength: 64 }));
const content = fc.array(
  text.map((said) => ({ type: 'text', text: said }) as const),
  { maxLength: 3 },
);
const item: fc.Arbitrary<InputItem> = fc.oneof(
  fc.record({
    type: fc.constant('message' as const),
    role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
    content,
  }),
  grouped(
    fc.record({
      type: fc.constant('function-call' as const),
      callId: id,
      name: calledName,
      arguments: text,
    }),
    name,
  ),
  grouped(
    fc.record({
      type: fc.constant('custom-tool-call' as const),
      callId: id,
      name: calledName,
      input: text,
    }),
    name,
  ),
  fc.record({
    type: fc.constantFrom('function-call-output', 'custom-tool-call-output'),
    callId: id,
    output: fc.oneof(text, content),
  }),
  fc.record({
    type: fc.constant('function-call-output' as const),
    callId: id,
    output: fc.oneof(text, content),
    isError: fc.constant(true as const),
  }),
  fc.record({
    type: fc.constant('reasoning' as const),
    id,
    summary: fc.array(text, { maxLength: 2 }),
    content: fc.array(text, { maxLength: 2 }),
    encrypted: fc.option(text, { nil: undefined }),
    signature: fc.option(text, { nil: undefined }),
    format: fc.constantFrom('openai-responses-v1', 'anthropic-claude-v1', 'google-gemini-v1'),
  }),
);
const leaf = fc.oneof(
  fc.constant({ type: 'string', minLength: 3, pattern: '^"a"\\d$' }),
  fc.constant({ type: 'number', minimum: 1e20, multipleOf: 5 }),
  fc.constant({ enum: ['a', 'b'] }),
);
const { schema } = fc.letrec<{ schema: Readonly<Record<string, unknown>> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      minProperties: fc.nat(3),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat(9) }),
  ),
}));
const tool: fc.Arbitrary<Tool> = fc.oneof(
  grouped(
    fc.record({
      type: fc.constant('function' as const),
      name,
      description: fc.option(text, { nil: undefined }),
      parameters: fc.option(schema, { nil: undefined }),
      strict: fc.constant(undefined),
      inputExamples: fc.array(fc.dictionary(name, text, { maxKeys: 2 }), { maxLength: 2 }),
    }),
    group,
  ),
  fc.record({
    type: fc.constant('native' as const),
    tool: fc.record({
      type: fc.constantFrom(
        'bash_20250124',
        'computer_20251124',
        'memory_20250818',
        'text_editor_20250124',
        'text_editor_20250728',
      ),
      name,
      display_number: fc.nat(9),
    }),
  }),
  grouped(
    fc.record({
      type: fc.constant('custom' as const),
      name: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      description: fc.option(text, { nil: undefined }),
      format: fc.option(
        fc.record({
          type: fc.constant('grammar' as const),
          syntax: fc.constantFrom('lark', 'regex'),
          definition: text,
        }),
        { nil: undefined },
      ),
    }),
    group,
  ),
);
const format = fc.option(
  fc.oneof(
    fc.constant({ type: 'json-object' as const }),
    fc.record({
      type: fc.constant('json-schema' as const),
      name,
      description: fc.option(text, { nil: undefined }),
      schema,
      strict: fc.constant(undefined),
    }),
  ),
  { nil: undefined },
);
const request: fc.Arbitrary<InferenceRequest> = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 3 }),
    isAllowed: fc.boolean(),
    format,
  })
  .map(({ items, tools, isAllowed, format: asked }) => ({
    ...textRequest(''),
    items,
    tools,
    toolChoice: isAllowed
      ? {
          type: 'allowed',
          mode: 'auto',
          tools: tools.flatMap((one) => (one.type === 'native' ? [] : addressOf(one))),
        }
      : { type: 'auto' },
    ...(asked && { options: { format: asked } }),
  }));

/** Adds a message, a tool and a longer form: what the stages to come may do. */
const adding = (added: InferenceRequest): InputStage => ({
  at: 'input',
  name: 'adding',
  run: async ({ inference: before, ...others }) => ({
    call: {
      ...others,
      inference: {
        ...before,
        items: [...added.items, ...before.items],
        tools: [...before.tools, ...added.tools],
        ...(added.options && { options: { ...before.options, ...added.options } }),
      },
    },
  }),
});

/** Words of the protocol: framing is held for them. */
const words = new Set(['type', 'role', 'mode', 'model', 'mimeType', 'responseMimeType']);
/** Fields whose objects the model gets as JSON. */
const jsonTexts = new Set([
  'args',
  'response',
  'schema',
  'parameters',
  'input_schema',
  'input_examples',
]);
const isJsonText = (key: string) => jsonTexts.has(key) || key.endsWith('JsonSchema');

function sentBytes(value: unknown, key = ''): number {
  if (words.has(key)) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sentBytes(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  if (isJsonText(key) || key === 'input') return Buffer.byteLength(JSON.stringify(value));
  return Object.entries(value).reduce((sum, [name_, each]) => sum + sentBytes(each, name_), 0);
}

const all = ['tools', 'tool_choice', 'response_format', 'structured_outputs'];
const endpointOf = (dialect: Dialect, knows: readonly string[]) => ({
  supportedParameters: new Set(knows),
  tier: 'default' as const,
  endpoint: {
    provider: 'p',
    dialect,
    baseUrl: 'https://p.example',
    apiKey: undefined,
    upstreamModel: dialect === 'google-gemini' ? 'gemini-3-pro' : 'claude-opus-4-1',
    ...(dialect === 'openai-chat' && {
      chat: {
        ...compatibleChat,
        hasShortCallIds: true,
        wantsThoughts: true,
        hasThoughtDetails: true,
      } as const,
    }),
  },
});

// Selection leaves out the tools that the endpoint lacks.
function bodyOf(at: ReturnType<typeof endpointOf>, asked: InferenceRequest): unknown {
  const isServed = (one: Tool) =>
    one.type !== 'native' || hasToolKind(at.endpoint, one.tool['type']);
  return wireBody(at.endpoint, requestFor(at, { ...asked, tools: asked.tools.filter(isServed) }));
}

/** Leaves out items as a compression does: a call goes with its result. */
const fewerItems = fc.infiniteStream(fc.boolean()).map((keeps) => (asked: InferenceRequest) => {
  const kept = new Map<unknown, boolean>();
  const items = asked.items.filter((one) => {
    const key = 'callId' in one ? one.callId : one;
    if (!kept.has(key)) kept.set(key, keeps.next().value === true);
    return kept.get(key);
  });
  return { ...asked, items };
});
/** Puts any other request in the place of the one that was held for. */
const anyOther = request.map((other) => () => other);

describe.each(dialects)('a request in %s', (dialect) => {
  test('says no more than was held for, after the stages too', async () => {
    await fc.assert(
      fc.asyncProperty(request, request, fc.subarray(all), async (asked, added, knows) => {
        const endpoint = endpointOf(dialect, knows);
        const context = {} as StageContext;
        const staged = await runInputStages([adding(added)], callOf(asked), context);
        if ('rejected' in staged) throw new Error(staged.message);
        const staging = staged.call.inference;
        const measure = inputMeasure(staging, [endpoint]);
        const { inputTokensMax } = inputBounds(measure, {
          contextLength: undefined,
          addsFraming: false,
        });
        const body = bodyOf(endpoint, staging);
        const sent = sentBytes(body);
        ok(sent <= inputTokensMax, `${sent} of ${inputTokensMax}: ${JSON.stringify(body)}`);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['fewer items', fewerItems, false],
    ['anything else', anyOther, true],
  ] as const)('says no more for one attempt, whose stage makes of it %s', (_, changes, mayGrow) => {
    fc.assert(
      fc.property(request, changes, fc.subarray(all), (asked, change, knows) => {
        const attempted = endpointOf(dialect, knows);
        const endpoint = { ...sampleEndpoint('a/b', 'p'), ...attempted };
        const planned = { model: sampleModel('a/b'), endpoint };
        const input = inputMeasure(asked, [endpoint]);
        const turn = {
          attemptStages: [{ forAttempt: () => ({ request: change(asked) }) }],
          request: asked,
          held: { ...worstCase([planned], input, Infinity) } as HeldTurn['held'],
          inputTokens: 0,
          inputImages: 0,
          inputMedia: input,
        };
        let sent = 0;
        try {
          sent = sentBytes(bodyOf(attempted, forAttempt(turn, planned).request));
        } catch (error) {
          ok(mayGrow && error instanceof AssertionError, String(error));
        }
        const framing = { contextLength: undefined, addsFraming: true };
        const { inputTokensMax } = inputBounds(input, framing);
        ok(sent <= inputTokensMax, `${sent} of ${inputTokensMax}`);
      }),
      { numRuns: 500 },
    );
  });
});
