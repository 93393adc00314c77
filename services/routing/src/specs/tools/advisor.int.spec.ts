import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { checkBooks, factsOf, loopCases, bodyOf } from '../../testing/tool-loops.ts';

// The model calls `service:advisor`, the service asks another model, and the model goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: { drainMs: 20 } });
});
afterAll(() => routing.stop());

const type = 'service:advisor';
const call = 'call service_advisor';

interface Item {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly advice?: string;
  readonly error?: string;
  readonly model?: string;
  readonly instance_name?: string;
}

async function itemsOf(body: object, status = 200): Promise<readonly Item[]> {
  const reply = await routing.call(body);
  const text = await textOf(reply);
  equal(reply.status, status, text);
  const { output } = JSON.parse(text) as { output: readonly Item[] };
  return output;
}

describe('a loop of service:advisor', () => {
  test.each(loopCases)('$dialect of $model, streamed: $stream', async (one) => {
    const parameters = { instructions: 'You advise.', stream: one.stream };
    const body = bodyOf(one, { content: call, tools: [{ type, parameters }] });
    const reply = await routing.call(body, { dialect: one.dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /You said: What should be done next\?/);
    const facts = await factsOf(routing, reply, 4);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, facts, text);
    const [inner] = [facts.get('/tool/1/1/1/1')];
    equal(inner?.requestId, facts.get('/1/1')?.requestId);
  });

  test.each(['sim/chat', 'sim/messages', 'sim/gemini', 'sim/echo'])(
    'streams the advice of %s on its item',
    async (model) => {
      const tools = [{ type, parameters: { model, stream: true } }];
      const reply = await routing.call({ model: 'sim/echo', stream: true, input: call, tools });
      const events = (await eventsOf(reply)) as readonly {
        type: string;
        item_id?: string;
        delta?: string;
        item?: Item;
      }[];
      const item = events.find(
        (one) => one.type === 'response.output_item.done' && one.item?.type === type,
      )?.item;
      const deltas = events.filter(
        (one) => one.type === 'response.output_text.delta' && one.item_id === item?.id,
      );
      ok(deltas.length > 1);
      equal(deltas.map(({ delta }) => delta).join(''), item?.advice);
    },
  );
});

describe('an advisor', () => {
  test('that fails is a result for the model', async () => {
    const tools = [{ type, parameters: { model: 'sim/echo-sim-error-500' } }];
    const [item, message] = await itemsOf({ model: 'sim/echo', input: call, tools });
    deepEqual([item?.type, item?.status, item?.advice], [type, 'failed', undefined]);
    ok(item?.error);
    equal(message?.type, 'message');
    const unknown = [{ type, parameters: { model: 'no/such' } }];
    const [other] = await itemsOf({ model: 'sim/echo', input: call, tools: unknown });
    match(other?.error ?? '', /no\/such/);
  });

  test('remembers what it was asked, each instance for itself', async () => {
    const tools = ['Ann', ' Bob '].map((name) => ({ type, parameters: { name } }));
    const inputTokensAfter = async (name: string): Promise<number> => {
      const told = { prompt: 'And now?', advice: 'word '.repeat(100) };
      const input = [
        { type, id: 'i-1', status: 'completed', instance_name: name, ...told },
        { role: 'user', content: call },
      ];
      const before = (await routing.receipts()).length;
      const [item] = await itemsOf({ model: 'sim/echo', input, tools });
      equal(item?.instance_name, 'Ann');
      return (await routing.receipts())[before + 1]?.input_tokens ?? 0;
    };
    const [own, other] = [await inputTokensAfter('Ann'), await inputTokensAfter('Bob')];
    ok(own > other + 90, `${own} and ${other}`);
  });

  test('ends when the client leaves', async () => {
    const client = new AbortController();
    const tools = [{ type, parameters: { model: 'sim/echo-sim-hang' } }];
    const body = { model: 'sim/echo', stream: true, input: call, tools };
    const reply = await routing.call(body, { signal: client.signal });
    const seen: string[] = [];
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
      seen.push(Buffer.from(chunk).toString());
      if (seen.join('').includes('output_item.added')) client.abort();
    }
    const facts = await factsOf(routing, reply, 2);
    ok(facts.has('/tool/1'));
    // The model may have been asked or not. It said nothing, and costs nothing.
    equal(facts.get('/tool/1/1/1/1')?.costNanoUsd ?? 0n, 0n);
  });

  test('is forwarded the conversation, and needs no prompt then', async () => {
    const long = `${'word '.repeat(200)} ${call}`;
    const inputTokens: number[] = [];
    for (const forward_transcript of [false, true]) {
      const before = (await routing.receipts()).length;
      const tools = [{ type, parameters: { forward_transcript } }];
      const [item] = await itemsOf({ model: 'sim/echo', input: long, tools });
      equal(item?.status, 'completed');
      inputTokens.push((await routing.receipts())[before + 1]?.input_tokens ?? 0);
    }
    ok((inputTokens[1] ?? 0) > (inputTokens[0] ?? 0) + 190);
  });

  test.each<[object[], string]>([
    [[{ name: '' }], '[0].parameters.name'],
    [[{ name: '  ' }], '[0].parameters.name'],
    [[{ name: 'a/b' }], '[0].parameters.name'],
    [[{ name: 'x'.repeat(65) }], '[0].parameters.name'],
    [[{ name: 'a' }, { name: ' a ' }], '[1].parameters.name'],
    [[{}, {}], '[1].parameters.name'],
    [[{ max_completion_tokens: 0 }], '[0].parameters.max_completion_tokens'],
    [[{ temperature: 2.1 }], '[0].parameters.temperature'],
    [[{ reasoning: { effort: 'huge' } }], '[0].parameters.reasoning.effort'],
    [[{ forward_transcript: 'yes' }], '[0].parameters.forward_transcript'],
    [[{ stream: 1 }], '[0].parameters.stream'],
    [[{ model: '' }], '[0].parameters.model'],
  ])('is refused by the path at all doors: %o', async (all, path) => {
    const tools = all.map((parameters) => ({ type, parameters }));
    for (const dialect of ['responses', 'chat-completions', 'messages'] as const) {
      const one = { dialect, model: 'sim/echo', stream: false };
      const reply = await routing.call(bodyOf(one, { content: call, tools }), { dialect });
      const text = await textOf(reply);
      equal(reply.status, 400, text);
      ok(text.includes(`tools${path}`), text);
    }
  });
});
