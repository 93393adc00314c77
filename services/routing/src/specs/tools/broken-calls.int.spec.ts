import { equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, type LoopCase, loopCases } from '../../testing/tool-loops.ts';

// The model calls a server tool with arguments that are none. It reads an error, and the loop goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const tools = [{ type: 'service:datetime' }];

async function ask(one: LoopCase, content: string) {
  const reply = await routing.call(bodyOf(one, { content, tools }), { dialect: one.dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return { reply, text };
}

const broken: readonly (readonly [what: string, written: string, error: RegExp])[] = [
  ['no JSON', 'the time, please', /no JSON|must be a JSON object/],
  ['cut', '{"timezone":"Asia/', /no JSON/],
  ['two objects', '{}{}', /no JSON/],
  ['a list', '["Asia/Tokyo"]', /must be a JSON object/],
  ['a number', '7', /must be a JSON object/],
];

describe.each(broken)('arguments that are %s', (_what, written, error) => {
  test.each(loopCases)('$dialect of $model, streamed: $stream', async (one) => {
    const told = await ask(one, `agent: call service_datetime <<${written}>>`);
    match(told.text, error);
    ok(!told.text.includes('"error_type"'), told.text);
    const done = await ask(one, `agent: call service_datetime <<${written}>> then say done`);
    match(done.text, /done/);
    match(done.text, /"tool_calls_requested":1,"tool_calls_executed":0/);
    await checkBooks(routing, await factsOf(routing, done.reply, 2), done.text);
  });
});
