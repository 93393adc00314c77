import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The model sends a patch: a right one goes to the client, which applies it and answers.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const tools = [{ type: 'service:apply_patch' }];
const asked = { role: 'user', content: 'call service_apply_patch' };
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const diff = '+one line';
const operation = { type: 'create_file', path: 'notes.txt', diff };

interface Item {
  readonly type: string;
  readonly call_id: string;
  readonly operation: object;
}

interface Body {
  readonly status: string;
  readonly output: readonly Item[];
}

describe.each(models)('a patch of %s', (model) => {
  test('ends the turn, and the client gets it whole', async () => {
    const reply = await routing.call({ model, tools, input: [asked] });
    const { status, output } = JSON.parse(await textOf(reply)) as Body;
    equal(status, 'completed');
    const item = output.find(({ type }) => type === 'service:apply_patch');
    deepEqual(item?.operation, operation);
    ok(item.call_id);
    const id = reply.headers['x-generation-id'] ?? '';
    const facts = () =>
      routing.ledger.facts
        .filter(({ generationId }) => generationId === id)
        .map(({ usageId }) => usageId.slice(id.length))
        .toSorted();
    await eventually(() => facts().length >= 2 || undefined, 'the facts');
    deepEqual(facts(), ['/1/1', '/tool/1']);
  });

  test('streams its lines before the item ends', async () => {
    const reply = await routing.call({ model, tools, input: [asked], stream: true });
    const text = await textOf(reply);
    match(text, /"response.apply_patch_call_operation_diff.delta"[^\n]*"delta":"\+one line"/);
    match(text, /"response.apply_patch_call_operation_diff.done"[^\n]*"diff":"\+one line"/);
    const ended = text.search(/"response.output_item.done"[^\n]*"service:apply_patch"/);
    ok(text.indexOf('operation_diff.done') < ended);
  });

  test('is answered by the client, and the model reads the answer', async () => {
    const first = JSON.parse(
      await textOf(await routing.call({ model, tools, input: [asked] })),
    ) as Body;
    const calls = first.output.filter(({ type }) => type === 'service:apply_patch');
    const answers = calls.map(({ call_id }) => ({
      type: 'apply_patch_call_output',
      call_id,
      status: 'failed',
      output: 'the disk is full',
    }));
    const input = [asked, ...first.output, ...answers];
    const reply = await routing.call({ model, tools, input, stream: false });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /the disk is full/);
  });
});

test('a door without the kind refuses it by its place', async () => {
  const body = { model: 'sim/echo', messages: [asked], tools };
  const reply = await routing.call(body, { dialect: 'chat-completions' });
  equal(reply.status, 400);
  match(await textOf(reply), /tools\[0\]\.type/);
});
