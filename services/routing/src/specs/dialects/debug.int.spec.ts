import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  responseOf,
  routingHarness,
  type RoutingHarness,
  type SeenEvent,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  // A stream that opens before its first attempt is written has no debug event in front.
  routing = await routingHarness({ limits: { firstOutputTimeoutMs: 4_000, statusHeldMs: 2_000 } });
});
afterAll(() => routing.stop());

const debug = { echo_upstream_body: true };

interface Debugged extends SeenEvent {
  readonly debug: { readonly echo_upstream_body: Readonly<Record<string, unknown>> };
}

async function asked(body: object): Promise<readonly SeenEvent[]> {
  const reply = await routing.call({ input: 'hello', stream: true, debug, ...body });
  equal(reply.status, 200);
  return await eventsOf(reply);
}

const echoes = (events: readonly SeenEvent[]) =>
  events
    .filter((event): event is Debugged => event.type === 'response.debug')
    .map((event) => event.debug.echo_upstream_body);
const typesOf = (events: readonly SeenEvent[], count: number) =>
  events.slice(0, count).map(({ type }) => type);

describe('a client that asks for it gets the upstream body', () => {
  test.each([
    ['sim/echo', 'input'],
    ['sim/chat', 'messages'],
    ['sim/messages', 'messages'],
    ['sim/gemini', 'contents'],
  ])('%s: in the words of its dialect, first of all', async (model, field) => {
    const events = await asked({ model, temperature: 0.5, safety_identifier: 'Jane Roe' });
    deepEqual(typesOf(events, 3), ['response.debug', 'response.created', 'response.in_progress']);
    const [body, ...more] = echoes(events);
    deepEqual(more, []);
    ok(JSON.stringify(body?.[field]).includes('hello'));
    const text = JSON.stringify(body);
    ok(text.includes('user') && text.includes('0.5'), text);
    ok(!text.includes('Jane Roe'), text);
  });

  test('for each provider in the order of attempts', async () => {
    const events = await asked({ model: 'sim/sim-error-503', models: ['sim/chat'] });
    const [first] = events;
    equal(first?.type, 'response.debug');
    const types = events.map(({ type }) => type);
    ok(types.lastIndexOf('response.debug') < types.indexOf('response.output_item.added'));
    deepEqual(
      echoes(events).map(({ model }) => model),
      ['sim-error-503', 'echo'],
    );
  });

  test('before the first output for a provider that is tried after the stream opened', async () => {
    const events = await asked({ model: 'sim/sim-hang', models: ['sim/chat'] });
    deepEqual(typesOf(events, 5), [
      'response.debug',
      'response.created',
      'response.in_progress',
      'response.debug',
      'response.output_item.added',
    ]);
    equal(events.at(-1)?.type, 'response.completed');
  });

  test('also when all of them fail after that', async () => {
    const events = await asked({ model: 'sim/sim-hang', models: ['sim/sim-error-503'] });
    deepEqual(typesOf(events, 9), [
      'response.debug',
      'response.created',
      'response.in_progress',
      'response.debug',
      'response.failed',
    ]);
  });

  test('a picture is not sent back whole', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(200_000)}`;
    const content = [{ type: 'input_image', image_url: picture }];
    const events = await asked({ model: 'sim/chat', input: [{ role: 'user', content }] });
    const text = JSON.stringify(echoes(events));
    ok(text.includes('characters left out]') && text.length < 20_000);
  });
});

describe('other clients do not get it:', () => {
  test.each([{}, { debug: null }, { debug: {} }, { debug: { echo_upstream_body: false } }])(
    'a stream with %o',
    async (fields) => {
      const reply = await routing.call({
        model: 'sim/echo',
        input: 'hello',
        stream: true,
        ...fields,
      });
      deepEqual(echoes(await eventsOf(reply)), []);
    },
  );

  test('an answer that is not streamed has no place for it', async () => {
    const reply = await routing.call({ model: 'sim/echo', input: 'hello', debug });
    equal(reply.status, 200);
    equal((await responseOf(reply)).output_text, 'You said: hello');
  });

  test('an option that is not a boolean is refused', async () => {
    for (const wrong of ['yes', { echo_upstream_body: 1 }])
      equal((await routing.call({ model: 'sim/echo', input: 'x', debug: wrong })).status, 400);
  });
});
