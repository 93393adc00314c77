import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { ClientDialectName, InferenceReply } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The model calls `service:datetime`, the service runs it, and the model goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const asked = { role: 'user', content: 'call service_datetime' };
const tools = [{ type: 'service:datetime', parameters: { timezone: 'Asia/Kolkata' } }];
const bodies: Readonly<Partial<Record<ClientDialectName, object>>> = {
  responses: { input: [asked], tools },
  'chat-completions': { messages: [asked], tools },
  messages: { messages: [asked], max_tokens: 500, tools },
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

describe('a loop of service:datetime', () => {
  test.each(cases)('$dialect of $model, streamed: $stream', async ({ dialect, body }) => {
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /\+05:30/);
    match(text, /The tool|tool_answered|answered/);
    const facts = await factsOf(routing, reply, 3);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1']);
    const [first, second] = [facts.get('/1/1'), facts.get('/1/2')];
    equal(facts.get('/tool/1')?.costNanoUsd, 0n);
    ok(first && second);
    ok(second.inputTokens > first.inputTokens, 'the input has grown');
    equal(numberOf(text, 'cost'), usdOf([first, second]));
    equal(numberOf(text, 'tool_calls_requested'), 1);
    equal(numberOf(text, 'tool_calls_executed'), 1);
    const receipts = await routing.receipts();
    for (const { usageId, outputTokens, inputTokens } of [first, second]) {
      const receipt = receipts.find((one) => one.client_request_id === usageId);
      equal(BigInt(receipt?.output_tokens ?? -1), outputTokens);
      equal(BigInt(receipt?.input_tokens ?? -1), inputTokens);
    }
  });
});
