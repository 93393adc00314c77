import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import type { ClientDialectName, InferenceReply } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { twoTurns } from '../../testing/two-turns.ts';

// A response of two turns: the model calls a function, the service answers it, and the model goes on.

/** Each test has a model, so that none learns of another's failures. */
const fallbacks = Array.from({ length: 3 }, (_, place) => `test/fallback-${place}`);
/** The first endpoint fails and costs nothing, so that it is tried first. */
const catalogFile = (url: string) => `
providers:
  - { slug: broken, name: Broken, dialect: openai-chat, base_url: '${url}' }
  - { slug: whole, name: Whole, dialect: anthropic-messages, base_url: '${url}' }
models:
${fallbacks
  .map(
    (id) => `
  - { id: ${id}, context_length: 8192, endpoints: [
      { provider: broken, upstream_model: sim-error-503, pricing: { prompt: '0', completion: '0' } },
      { provider: whole, upstream_model: echo, pricing: { prompt: '0.000001', completion: '0.000002' } }] }`,
  )
  .join('')}
`;

let routing: RoutingHarness;
/** The second turn of its responses fails. */
let failing: RoutingHarness;
/** The second turn of its responses hangs. */
let hanging: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile, turnLoop: twoTurns() });
  failing = await routingHarness({ turnLoop: twoTurns([saying('[sim:error-500]')]) });
  hanging = await routingHarness({
    turnLoop: twoTurns([saying('[sim:hang]')]),
    limits: { totalTimeoutMs: 3_000 },
  });
});
afterAll(() => Promise.all([routing.stop(), failing.stop(), hanging.stop()]));

const saying = (text: string): InputItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});

const city = { type: 'object', properties: { city: { type: 'string' } } };
const asked = { role: 'user', content: 'call get_weather' };
const named = { name: 'get_weather', parameters: city };

/** A request for a call, in the words of each door. */
const bodies: Readonly<Partial<Record<ClientDialectName, object>>> = {
  responses: { input: [asked], tools: [{ type: 'function', ...named }] },
  'chat-completions': { messages: [asked], tools: [{ type: 'function', function: named }] },
  messages: {
    messages: [asked],
    max_tokens: 500,
    tools: [{ name: 'get_weather', input_schema: city }],
  },
};
const doors = Object.entries(bodies) as unknown as readonly (readonly [
  ClientDialectName,
  object,
])[];
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const cases = doors.flatMap(([dialect, body]) =>
  models.flatMap((model) =>
    [false, true].map((stream) => ({ dialect, model, stream, body: { ...body, model, stream } })),
  ),
);

/** Returns the facts of a response by usage id, once there are so many. */
async function factsOf(
  { ledger }: RoutingHarness,
  { headers }: InferenceReply,
  count: number,
): Promise<ReadonlyMap<string, UsageRecorded>> {
  const id = headers['x-generation-id'] ?? '';
  const ofResponse = () => ledger.facts.filter(({ generationId }) => generationId === id);
  await eventually(() => ofResponse().length >= count || undefined, 'the facts');
  return new Map(ofResponse().map((fact) => [fact.usageId.slice(id.length), fact]));
}

/** Returns the last number of that name. */
function numberOf(text: string, name: string): number {
  return Number([...text.matchAll(new RegExp(`"${name}":([\\d.e-]+)`, 'g'))].at(-1)?.[1]);
}

const usdOf = (facts: readonly UsageRecorded[]) =>
  Number(facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)) / 1e9;

describe('a response of two turns', () => {
  test.each(cases)('$dialect of $model, streamed: $stream', async ({ dialect, body }) => {
    // A stream is read by the checker of its format.
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /get_weather/);
    match(text, /sunny/);

    const facts = await factsOf(routing, reply, 2);
    deepEqual([...facts.keys()], ['/1/1', '/1/2']);
    const [first, second] = [...facts.values()];
    ok(first && second);
    deepEqual([first.outcome, second.outcome], ['completed', 'completed']);
    equal(first.requestId, second.requestId);
    ok(second.inputTokens > first.inputTokens, 'the input has grown');
    equal(numberOf(text, 'cost'), usdOf([first, second]));
    const receipts = await routing.receipts();
    for (const { usageId, outputTokens, inputTokens } of [first, second]) {
      const receipt = receipts.find((one) => one.client_request_id === usageId);
      equal(BigInt(receipt?.output_tokens ?? -1), outputTokens);
      equal(BigInt(receipt?.input_tokens ?? -1), inputTokens);
    }
  });

  test.each([false, true])('numbers its outputs from its first turn on: %s', async (stream) => {
    const text = await textOf(
      await routing.call({ ...bodies.responses, model: 'sim/messages', stream }),
    );
    const body = stream ? (text.split('data: ').at(-2) ?? '') : text;
    const { output } = (stream ? JSON.parse(body).response : JSON.parse(body)) as {
      readonly output: readonly { readonly id: string; readonly type: string }[];
    };
    deepEqual(
      output.map(({ type }) => type),
      ['function_call', 'message'],
    );
    match(output[0]?.id ?? '', /_0$/);
    match(output[1]?.id ?? '', /_1$/);
  });

  test.each(doors.map(([dialect, body], place) => ({ dialect, body, model: fallbacks[place] })))(
    'begins where the first one was served: $dialect',
    async ({ dialect, body, model }) => {
      const options = { dialect, client: { wantsMetadata: true } } as const;
      const reply = await routing.call({ ...body, model }, options);
      const { service_metadata: metadata } = JSON.parse(await textOf(reply)) as {
        readonly service_metadata: {
          readonly attempt: number;
          readonly attempts: readonly object[];
        };
      };
      equal(metadata.attempt, 1);
      deepEqual(metadata.attempts, [
        { provider: 'broken', model, status: 503, turn: 1 },
        { provider: 'whole', model, status: 200, turn: 1 },
        { provider: 'whole', model, status: 200, turn: 2 },
      ]);
      const facts = await factsOf(routing, reply, 2);
      deepEqual([...facts.keys()], ['/2/1', '/1/2']);
    },
  );
});

describe('a second turn that fails', () => {
  test.each(doors)('ends the answer of %s, and the first turn is paid', async (dialect, body) => {
    for (const stream of [false, true]) {
      const reply = await failing.call({ ...body, model: 'sim/echo', stream }, { dialect });
      const text = await textOf(reply);
      match(text, /provider_unavailable/);
      const facts = await factsOf(failing, reply, 1);
      deepEqual([...facts.keys()], ['/1/1']);
      if (dialect !== 'messages') equal(numberOf(text, 'cost'), usdOf([...facts.values()]));
    }
  });

  test('has a total time-out, though the first one has ended', async () => {
    const reply = await hanging.call({ ...bodies.responses, model: 'sim/echo', stream: true });
    match(await textOf(reply), /"status":"failed".*"error_type":"timeout"/);
    deepEqual([...(await factsOf(hanging, reply, 1)).keys()], ['/1/1']);
  });
});
