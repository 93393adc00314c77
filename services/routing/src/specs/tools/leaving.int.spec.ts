import type { InferenceReply } from '@sluice/inference-port';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import type { ResponseStage, TurnStage } from '../../stages/stage.ts';
import { bodyOf, type LoopCase, loopCases } from '../../testing/tool-loops.ts';

// A client leaves in each state of a loop: the loop stops, and what was done is paid for, and nothing else.

let routing: RoutingHarness;
/** Called between turns, and when an intent is on disk. */
let betweenTurns: () => void;
let intentWritten: () => void;
const between: ResponseStage<'turn', TurnStage> = {
  at: 'turn',
  name: 'between',
  open: () => ({
    async runAdded(items) {
      betweenTurns();
      return { items };
    },
  }),
};
beforeAll(async () => {
  routing = await routingHarness({
    stages: [between],
    limits: { drainMs: 20 },
    afterWrite: async (type) => {
      if (type === 'intent') intentWritten();
    },
  });
});
afterAll(() => routing.stop());

const call = 'call service_datetime';

interface Left {
  /** The facts by the rest of their usage ids, with their outcomes. */
  readonly facts: readonly (readonly string[])[];
  readonly receipts: number;
}

/** Returns the facts of a response, once there are so many. */
async function factsOf({ headers }: InferenceReply, count: number) {
  const id = headers['x-generation-id'];
  return await eventually(() => {
    const found = routing.ledger.facts.filter(({ generationId }) => generationId === id);
    return found.length >= count ? found : undefined;
  }, 'the facts');
}

/** Sends a request that the client leaves, and returns what is left of it. */
async function leave(
  one: LoopCase,
  script: string,
  { signal }: AbortController,
  count: number,
): Promise<Left> {
  const session = `${one.dialect}-${String(one.stream)}-${script}`;
  const tools = [{ type: 'service:datetime' }];
  const body = bodyOf(one, { content: `agent: ${script}`, tools });
  const reply = await routing.call(body, { dialect: one.dialect, signal });
  await textOf(reply).catch(() => '');
  ok(signal.aborted, session);
  const facts = await factsOf(reply, count);
  await eventually(async () => /^spend_open(\{.*\})? 0$/m.test(await routing.metrics()), 'no hold');
  const receipts = (await routing.receipts()).filter((receipt) => {
    return facts.some(({ usageId }) => usageId === receipt.client_request_id);
  });
  return {
    facts: facts
      .map(({ usageId, outcome }) => [usageId.slice(usageId.indexOf('/')), outcome])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    receipts: receipts.length,
  };
}

const cases = loopCases.filter(({ model }) => model === 'sim/chat');
const nothing = () => {};

describe('a client that leaves', () => {
  test.each(cases)('between turns: $dialect, streamed: $stream', async (one) => {
    const leaving = new AbortController();
    [betweenTurns, intentWritten] = [() => leaving.abort(), nothing];
    const { facts, receipts } = await leave(one, `${call} then say done`, leaving, 2);
    deepEqual(facts, [
      ['/1/1', 'completed'],
      ['/tool/1', 'completed'],
    ]);
    equal(receipts, 1);
  });

  test.each(cases)('while a later turn is silent: $dialect, streamed: $stream', async (one) => {
    const leaving = new AbortController();
    let intents = 0;
    intentWritten = () => {
      intents += 1;
      if (intents === 2) leaving.abort();
    };
    betweenTurns = nothing;
    const { facts, receipts } = await leave(one, `${call} then (hang)`, leaving, 3);
    deepEqual(facts, [
      ['/1/1', 'completed'],
      // A model that was called and did not answer may charge for it.
      ['/1/2', 'cancelled'],
      ['/tool/1', 'completed'],
    ]);
    equal(receipts, 1);
  });

  test.each(cases.filter(({ stream }) => stream))(
    'while a later turn streams: $dialect',
    async (one) => {
      const leaving = new AbortController();
      let intents = 0;
      [betweenTurns, intentWritten] = [nothing, () => void (intents += 1)];
      const tools = [{ type: 'service:datetime' }];
      const content = `agent: ${call} then (slow-200) say ready and say set then say go`;
      const body = bodyOf(one, { content, tools });
      const { signal } = leaving;
      const reply = await routing.call(body, { dialect: one.dialect, signal });
      ok(typeof reply.body !== 'string' && Symbol.asyncIterator in reply.body);
      let text = '';
      for await (const bytes of reply.body) {
        text += Buffer.from(bytes).toString();
        if (text.includes('ready')) leaving.abort();
      }
      const facts = await factsOf(reply, 3);
      deepEqual(
        facts
          .map(({ usageId, outcome }) => `${usageId.slice(usageId.indexOf('/'))} ${outcome}`)
          .toSorted((a, b) => (a < b ? -1 : 1)),
        ['/1/1 completed', '/1/2 cancelled', '/tool/1 completed'],
      );
      equal(intents, 2, 'no further turn begins');
    },
  );
});

test('a client that never comes back to a suspended worker leaves nothing held', async () => {
  [betweenTurns, intentWritten] = [nothing, nothing];
  const args = { task_name: 'part', task_description: 'agent: call look {}' };
  const input = `agent: call service_subagent ${JSON.stringify(args)}`;
  const subagent = { type: 'service:subagent', parameters: { inherit_functions: true } };
  const look = { type: 'function', name: 'look', parameters: { type: 'object' } };
  const reply = await routing.call({ model: 'sim/chat', input, tools: [subagent, look] });
  ok((await textOf(reply)).includes('subagent_items'));
  equal((await factsOf(reply, 3)).length, 3);
  await eventually(async () => /^spend_open(\{.*\})? 0$/m.test(await routing.metrics()), 'no hold');
});
