import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const dialects = ['openai-responses', 'openai-chat', 'anthropic-messages', 'google-gemini'];
const endpoint = (provider: string) =>
  `{ provider: ${provider}, upstream_model: echo, pricing: { prompt: '0.000001', completion: '0.000002' } }`;
const catalogFile = (url: string) => `
providers:
${dialects.map((one) => `  - { slug: ${one}, name: ${one}, dialect: ${one}, base_url: '${url}' }`).join('\n')}
models:
${dialects
  .flatMap((one) => [
    `  - { id: small/${one}, context_length: 4000, endpoints: [${endpoint(one)}] }`,
    `  - { id: wide/${one}, context_length: 20000, endpoints: [${endpoint(one)}] }`,
  ])
  .join('\n')}
  - { id: exact/openai-chat, tokenizer: o200k_base, context_length: 4000, endpoints: [${endpoint('openai-chat')}] }
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});
afterAll(() => routing.stop());

interface Stage {
  readonly type: string;
  readonly data: {
    readonly original_count: number;
    readonly compressed_count: number;
    readonly shrunk_outputs?: number;
    readonly compressed_tokens: number;
    readonly is_estimated: boolean;
  };
}
interface Answer {
  readonly truncation?: string;
  readonly service_metadata: { readonly pipeline?: readonly Stage[] };
}

/** Turns of a conversation of about so many tokens. */
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `turn ${String(index)}: ${'word '.repeat(90)}`,
  }));

async function ask(door: (typeof doors)[number], fields: object, count: number) {
  const facts = routing.ledger.facts.length;
  const { dialect, asks } = door;
  const body = { ...asks('hi', turns(count)), ...fields };
  const principal = { ...somebody, keyHash: 'compression' };
  const reply = await routing.call(body, { dialect, principal, client: { wantsMetadata: true } });
  const text = await textOf(reply);
  if (reply.status !== 200) return { status: reply.status, text };
  const answer = JSON.parse(text) as Answer;
  const fact = await eventually(() => routing.ledger.facts[facts], 'the fact');
  return { status: reply.status, text, answer, fact };
}

const plugins = [{ id: 'context-compression' }];
const off = [{ id: 'context-compression', enabled: false }];

describe.each(doors)('a conversation at $dialect', (door) => {
  test.each(dialects)(
    'that does not fit a small window is shortened by itself: %s',
    async (one) => {
      const { answer, fact } = await ask(door, { model: `small/${one}` }, 60);
      const [stage] = answer?.service_metadata.pipeline ?? [];
      ok(stage && fact);
      equal(stage.type, 'context_compression');
      ok(stage.data.compressed_count < stage.data.original_count);
      ok(fact.inputTokens <= 4_000 - 900, String(fact.inputTokens));
      ok(fact.costNanoUsd <= fact.holdNanoUsd);
    },
  );

  test('that does not fit a wide window is refused without the plugin', async () => {
    const model = 'wide/openai-responses';
    equal((await ask(door, { model }, 200)).status, 400);
    const { answer, fact } = await ask(door, { model, plugins }, 200);
    equal(answer?.service_metadata.pipeline?.length, 1);
    ok(fact && fact.inputTokens > 4_000 && fact.inputTokens <= 20_000, String(fact?.inputTokens));
  });

  test('is shortened for each attempt as its window needs', async () => {
    const models = ['small/openai-chat'];
    const fields = { model: 'wide/openai-chat', models, plugins };
    const { answer } = await ask(
      door,
      door.dialect === 'messages' ? { model: fields.model, plugins } : fields,
      60,
    );
    equal(answer?.service_metadata.pipeline, undefined, 'it fits the wide window');
  });

  test('is refused if compression is off, by the request or by a small window', async () => {
    const model = 'small/openai-responses';
    const { status, text } = await ask(door, { model, plugins: off }, 60);
    equal(status, 400);
    ok(text.includes('context'), text);
  });
});

test('truncation: auto stands for the plugin, and is repeated', async () => {
  const [door] = doors;
  ok(door);
  const model = 'wide/openai-responses';
  const { answer } = await ask(door, { model, truncation: 'auto' }, 200);
  equal(answer?.truncation, 'auto');
  equal(answer.service_metadata.pipeline?.length, 1);
  const kept = await ask(door, { model, truncation: 'auto', plugins: off }, 200);
  equal(kept.status, 400);
  const fits = await ask(door, { model, truncation: 'auto' }, 4);
  deepEqual(fits.answer?.service_metadata.pipeline, undefined);
});

test('tokens are counted exactly where the catalog names the encoding', async () => {
  const [door] = doors;
  ok(door);
  const stageOf = async (model: string) => {
    const { answer } = await ask(door, { model }, 60);
    const [stage] = answer?.service_metadata.pipeline ?? [];
    ok(stage, model);
    return stage.data;
  };
  const exact = await stageOf('exact/openai-chat');
  const estimated = await stageOf('small/openai-chat');
  deepEqual([exact.is_estimated, estimated.is_estimated], [false, true]);
  ok(exact.compressed_count >= estimated.compressed_count);
  ok(exact.compressed_tokens <= 4_000 - 900);
});

const rows = JSON.stringify(
  Array.from({ length: 300 }, (_, id) => ({ id, name: `person ${String(id)}`, state: 'active' })),
);
const begin = { role: 'user', content: 'List all people.' };
const end = [
  { role: 'assistant', content: 'There are 300.' },
  { role: 'user', content: 'Who is the first?' },
];
const withOutput: Readonly<Record<string, object>> = {
  responses: {
    input: [
      begin,
      { type: 'function_call', call_id: 'c1', name: 'list', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: rows },
      ...end,
    ],
  },
  'chat-completions': {
    messages: [
      begin,
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'list', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: rows },
      ...end,
    ],
  },
  messages: {
    max_tokens: 900,
    messages: [
      begin,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'list', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: rows }] },
      ...end,
    ],
  },
};
const shrinks = [{ id: 'context-compression', engine: 'tool-outputs' }];

describe.each(doors)('the engine tool-outputs at $dialect', ({ dialect }) => {
  test.each(dialects)('shrinks an output and leaves no message out: %s', async (one) => {
    const facts = routing.ledger.facts.length;
    const principal = { ...somebody, keyHash: 'compression' };
    const body = { model: `small/${one}`, ...withOutput[dialect], plugins: shrinks };
    const client = { wantsMetadata: true } as const;
    const reply = await routing.call(body, { dialect, principal, client });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    const [stage] = (JSON.parse(text) as Answer).service_metadata.pipeline ?? [];
    ok(stage);
    deepEqual(
      [stage.data.shrunk_outputs, stage.data.compressed_count],
      [1, stage.data.original_count],
    );
    const fact = await eventually(() => routing.ledger.facts[facts], 'the fact');
    ok(fact.inputTokens <= 4_000 - 900, String(fact.inputTokens));
    ok(fact.costNanoUsd <= fact.holdNanoUsd);
  });
});
