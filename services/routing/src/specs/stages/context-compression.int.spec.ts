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
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});
afterAll(() => routing.stop());

interface Stage {
  readonly type: string;
  readonly data: { readonly original_count: number; readonly compressed_count: number };
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
