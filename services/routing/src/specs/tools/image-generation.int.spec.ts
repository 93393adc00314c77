import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, loopCases } from '../../testing/tool-loops.ts';

// The model calls `service:image_generation`, a model of pictures draws, and the model goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ imageModel: 'sim/gemini-image' });
});
afterAll(() => routing.stop());

const type = 'service:image_generation';
const call = 'call service_image_generation';
const picture = 'data:image/png;base64,iVBORw0KGgo';

interface Item {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly prompt?: string;
  readonly imageUrl?: string;
  readonly error?: string;
}

async function itemOf(parameters: object, within = routing): Promise<Item | undefined> {
  const tools = [{ type, parameters }];
  const reply = await within.call({ model: 'sim/echo', input: call, tools });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return (JSON.parse(text) as { output: readonly Item[] }).output[0];
}

describe('a loop of service:image_generation', () => {
  test.each(loopCases)('$dialect of $model, streamed: $stream', async (one) => {
    const tools = [{ type, parameters: { aspect_ratio: '1:1' } }];
    const reply = await routing.call(bodyOf(one, { content: call, tools }), one);
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    equal(reply.headers['x-service-warnings'], undefined);
    // Anthropic's format has the picture without the beginning of its address.
    ok(text.includes(one.dialect === 'messages' ? 'iVBORw0KGgo' : picture), text);
    match(text, one.stream ? /tool/ : /The tool answered: /);
    const facts = await factsOf(routing, reply, 4);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, facts, text);
    // The model does not read the picture.
    ok((facts.get('/1/2')?.inputTokens ?? 0n) < 300n);
  });

  test('tells how it goes on, in order', async () => {
    const reply = await routing.call({
      model: 'sim/echo',
      stream: true,
      input: call,
      tools: [{ type }],
    });
    const events = (await eventsOf(reply)) as readonly { type: string; item_id?: string }[];
    const told = events.filter((one) => one.type.includes('image_generation_call'));
    deepEqual(
      told.map((one) => one.type.replace('response.image_generation_call.', '')),
      ['in_progress', 'generating', 'completed'],
    );
    equal(new Set(told.map((one) => one.item_id)).size, 1);
  });
});

describe('a picture', () => {
  test('is the item of its call', async () => {
    const item = await itemOf({ model: 'sim/gemini-image-2', size: '1K' });
    deepEqual(
      [item?.type, item?.status, item?.prompt],
      [type, 'completed', 'a lighthouse at dawn'],
    );
    ok(item?.imageUrl?.startsWith(picture));
  });

  test.each([
    [{ model: 'sim/echo' }, /./],
    [{ model: 'no/such' }, /no\/such/],
    [{ model: 'sim/gemini-image-sim-error-500' }, /./],
    [{ model: 'sim/gemini-image-sim-refuse' }, /./],
  ])('that nobody draws is a result for the model: %o', async (parameters, error) => {
    const item = await itemOf(parameters);
    deepEqual([item?.status, item?.imageUrl], ['incomplete', undefined]);
    match(item?.error ?? '', error);
  });

  test('needs a model: without one the model reads that there is none', async () => {
    const bare = await routingHarness();
    try {
      const item = await itemOf({}, bare);
      deepEqual([item?.status, item?.error], ['incomplete', 'no model of pictures is set up']);
    } finally {
      await bare.stop();
    }
  });

  test('of an earlier turn is not read by the model again', async () => {
    const earlier = {
      type,
      id: 'st_1',
      status: 'completed',
      prompt: 'a cat',
      imageUrl: `${picture}${'a'.repeat(100_000)}`,
    };
    const before = (await routing.receipts()).length;
    const input = [earlier, { role: 'user', content: 'And now?' }];
    const reply = await routing.call({ model: 'sim/echo', input, tools: [{ type }] });
    equal(reply.status, 200, await textOf(reply));
    const [receipt] = (await routing.receipts()).slice(before);
    ok((receipt?.input_tokens ?? Infinity) < 300);
  });

  test.each<[unknown, string]>([
    [7, 'parameters'],
    [{ model: '' }, 'parameters.model'],
    [{ model: 7 }, 'parameters.model'],
    [{ size: {} }, 'parameters.size'],
    [{ anything: true }, 'parameters.anything'],
  ])('is refused by the path at all doors: %o', async (parameters, path) => {
    for (const dialect of ['responses', 'chat-completions', 'messages'] as const) {
      const one = { dialect, model: 'sim/echo', stream: false };
      const tools = [{ type, parameters }];
      const reply = await routing.call(bodyOf(one, { content: call, tools }), { dialect });
      const text = await textOf(reply);
      equal(reply.status, 400, text);
      ok(text.includes(`tools[0].${path}`), text);
    }
  });
});
