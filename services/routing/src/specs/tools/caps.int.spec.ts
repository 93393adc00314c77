import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterEach, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { datetimeTool } from '../../tools/datetime/index.ts';
import type { ServerTool, ToolResult } from '../../tools/tool.ts';

// A tool with a price, in a loop whose caps may lack it.

const cent = 10_000_000n;
const limited = { ...somebody, limitNanoUsd: 3n * cent };

let routing: RoutingHarness;
afterEach(() => routing.stop());

/** The date for a cent, or as an engine charges. */
function paidTool(charge: ToolResult['charge'] = { costNanoUsd: cent }): ServerTool {
  const free = datetimeTool({ clock: systemClock });
  return {
    ...free,
    worstCost: () => 2n * cent,
    engine: () => 'exa',
    run: async (args, context) => {
      const result = await free.run(args, context);
      return { ...result, ...(charge && { charge }) };
    },
  };
}

const asked = { role: 'user', content: 'call service_datetime' };
const tools = [{ type: 'service:datetime' }];
const bodies: Readonly<Partial<Record<ClientDialectName, object>>> = {
  responses: { input: [asked], tools, model: 'sim/echo' },
  'chat-completions': { messages: [asked], tools, model: 'sim/echo' },
  messages: { messages: [asked], max_tokens: 500, tools, model: 'sim/echo' },
};
const doors = Object.entries(bodies) as unknown as readonly (readonly [
  ClientDialectName,
  object,
])[];
const cases = doors.flatMap(([dialect, body]) =>
  [false, true].map((stream) => ({ dialect, stream, body: { ...body, stream } })),
);

const facts = () => routing.ledger.facts;
const spent = () => facts().reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
const factsAre = (count: number) =>
  eventually(() => facts().length >= count || undefined, `${count} facts`);

/** The end of an answer in the words of its door. */
const ends: Readonly<Partial<Record<ClientDialectName, RegExp>>> = {
  responses: /"incomplete_details":\{"reason":"key_limit_exceeded"\}/,
  'chat-completions': /"finish_reason":"length","native_finish_reason":"key_limit_exceeded"/,
  messages: /"stop_reason":"pause_turn"/,
};

describe('a call whose cost no budget holds', () => {
  test.each(cases)(
    'ends the loop with what is there: $dialect, streamed: $stream',
    async ({ dialect, body }) => {
      routing = await routingHarness({ tools: [paidTool()] });
      // The first loop leaves less than the worst cost of a second call.
      const first = await routing.call(body, { dialect, principal: limited });
      match(await textOf(first), /answered/);
      await factsAre(3);
      const reply = await routing.call(body, { dialect, principal: limited });
      equal(reply.status, 200);
      const text = await textOf(reply);
      match(text, ends[dialect] ?? /never/);
      // An item of /responses has no room for the error. The other doors say it.
      if (dialect !== 'responses') match(text, /costs more than is left/);
      match(text, /"tool_calls_requested":1,"tool_calls_executed":0/);
      await factsAre(4);
      deepEqual(
        facts().map(({ usageId }) => usageId.slice(usageId.indexOf('/'))),
        ['/1/1', '/tool/1', '/1/2', '/1/1'],
      );
      ok(spent() <= limited.limitNanoUsd);
    },
  );

  test('is no reason to run it, and calls that are held run', async () => {
    let runs = 0;
    const tool = paidTool();
    const counting: ServerTool = {
      ...tool,
      run: (args, context) => {
        runs += 1;
        return tool.run(args, context);
      },
    };
    routing = await routingHarness({ tools: [counting], creditsNanoUsd: 5n * cent });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => routing.call(bodies.responses ?? {}).then(textOf)),
    );
    const stopped = replies.filter((text) => text.includes('"status":"incomplete"')).length;
    ok(stopped > 0, `${stopped} loops met the cap`);
    const paid = await eventually(() => {
      const found = facts().filter(({ apiType }) => apiType === 'tool');
      return found.length === runs ? found : undefined;
    }, 'a fact of each call that ran');
    ok(paid.length > 0 && spent() <= 5n * cent, `${paid.length} calls for ${spent()}`);
  });
});

describe('a paid call in a loop', () => {
  test('tells its cost, and leaves nothing held', async () => {
    routing = await routingHarness({ tools: [paidTool()] });
    const text = await textOf(await routing.call(bodies.responses ?? {}));
    match(text, /"server_tool_cost":0\.01/);
    await factsAre(3);
    const sum = Number(spent()) / 1e9;
    equal(JSON.parse(text).usage.cost, sum);
  });

  test('that its engine does not answer in time costs the customer nothing', async () => {
    const tool = paidTool();
    const slow: ServerTool = { ...tool, timeoutMs: 50, run: () => new Promise(() => {}) };
    routing = await routingHarness({ tools: [slow] });
    const text = await textOf(await routing.call(bodies.responses ?? {}));
    match(text, /did not end in time/);
    await factsAre(3);
    const fact = facts().find(({ apiType }) => apiType === 'tool');
    deepEqual(
      [fact?.outcome, fact?.costNanoUsd, fact?.operatorSuspendedNanoUsd],
      ['failed', 0n, 2n * cent],
    );
  });
});
