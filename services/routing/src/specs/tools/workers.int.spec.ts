import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { InferenceReply } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, loopCases } from '../../testing/tool-loops.ts';

// A worker of `service:subagent` calls functions of the client: it waits, and a later request goes on with it.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: { drainMs: 20 } });
});
afterAll(() => routing.stop());

const type = 'service:subagent';
const look = { type: 'function', name: 'look', parameters: { type: 'object' } };
const tools = [{ type, parameters: { inherit_functions: true } }, look];

function handing(...tasks: readonly string[]): string {
  const calls = tasks.map((task) => {
    const args = JSON.stringify({ task_name: 'part', task_description: `agent: ${task}` });
    return `call service_subagent ${args}`;
  });
  return `agent: ${calls.join(' and ')}`;
}

type Item = Readonly<Record<string, unknown>>;

interface Answer {
  readonly reply: InferenceReply;
  readonly output: readonly Item[];
  /** JSON of the response. */
  readonly text: string;
}

async function answerTo(body: Item & { readonly stream: boolean }): Promise<Answer> {
  const reply = await routing.call(body);
  if (!body.stream) {
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    return { reply, text, output: (JSON.parse(text) as { output: readonly Item[] }).output };
  }
  equal(reply.status, 200);
  const events = (await eventsOf(reply)) as unknown as readonly {
    readonly type: string;
    readonly response?: { readonly output: readonly Item[] };
    readonly item?: Item;
  }[];
  const last = events.at(-1);
  equal(last?.type, 'response.completed');
  for (const { type: event, item } of events)
    if (event === 'response.output_item.added') ok(!('subagent_items' in (item ?? {})));
  return { reply, output: last.response?.output ?? [], text: JSON.stringify(last.response) };
}

/** Runs the functions that an answer waits for. */
function outputsOf(output: readonly Item[]): readonly Item[] {
  return output
    .filter((item) => item['type'] === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'a tree' }));
}

/** Some providers sign a call by a thought before it. */
const withoutThoughts = (output: readonly Item[]) =>
  output.filter((item) => item['type'] !== 'reasoning');
const typesOf = (output: readonly Item[]) =>
  withoutThoughts(output).map((item) => [item['type'], item['status']]);

const cases = loopCases.filter(({ dialect }) => dialect === 'responses');

describe('a worker that calls functions of the client', () => {
  test.each(cases)('waits and goes on: $model, streamed: $stream', async ({ model, stream }) => {
    const body = { model, stream, tools };
    const task = 'call look {} then call look {"at":"it"} then say done';
    let input: readonly Item[] = [{ role: 'user', content: handing(task) }];
    const first = await answerTo({ ...body, input });
    deepEqual(typesOf(first.output), [
      [type, 'in_progress'],
      ['function_call', 'completed'],
    ]);
    const [worker, call] = withoutThoughts(first.output);
    deepEqual([worker?.['task_name'], worker?.['outcome']], ['part', undefined]);
    deepEqual([call?.['name'], call?.['subagent_id']], ['look', worker?.['call_id']]);
    ok(Array.isArray(call?.['subagent_items']));
    const facts = await factsOf(routing, first.reply, 3);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, facts, first.text);

    // The model is not asked while the worker waits.
    input = [...input, ...first.output, ...outputsOf(first.output)];
    const second = await answerTo({ ...body, input });
    deepEqual(typesOf(second.output), [['function_call', 'completed']]);
    deepEqual(second.output[0]?.['arguments'], '{"at":"it"}');
    const more = await factsOf(routing, second.reply, 2);
    deepEqual([...more.keys()].toSorted(), ['/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, more, second.text);

    input = [...input, ...second.output, ...outputsOf(second.output)];
    const third = await answerTo({ ...body, input });
    deepEqual(typesOf(third.output), [
      [type, 'completed'],
      ['message', 'completed'],
    ]);
    deepEqual(
      [third.output[0]?.['call_id'], third.output[0]?.['outcome']],
      [worker?.['call_id'], 'done'],
    );
    match(third.text, /The tool answered: /);
    const last = await factsOf(routing, third.reply, 3);
    deepEqual([...last.keys()].toSorted(), ['/1/1', '/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, last, third.text);

    // The whole conversation is read again as one call with its outcome.
    input = [...input, ...third.output, { role: 'user', content: 'Thanks' }];
    const fourth = await answerTo({ ...body, input });
    deepEqual(typesOf(fourth.output), [['message', 'completed']]);
  });

  test.each(cases)('may be one of two: $model, streamed: $stream', async ({ model, stream }) => {
    const content = handing('call look {} then say done', 'say hi');
    const input = [{ role: 'user', content }];
    const first = await answerTo({ model, stream, input, tools });
    deepEqual(
      withoutThoughts(first.output).map((item) => [item['type'], item['outcome']]),
      [
        [type, undefined],
        [type, 'hi'],
        ['function_call', undefined],
      ],
    );
    const more = [...input, ...first.output, ...outputsOf(first.output)];
    const second = await answerTo({ model, stream, input: more, tools });
    deepEqual(
      withoutThoughts(second.output).map((item) => [item['type'], item['outcome']]),
      [
        [type, 'done'],
        ['message', undefined],
      ],
    );
  });

  test('keeps the results of tools that the service ran for it', async () => {
    const parameters = { inherit_functions: true, tools: [{ type: 'service:datetime' }] };
    const both = [{ type, parameters }, look];
    const task = 'call service_datetime {} then call look {} then say done';
    const input = [{ role: 'user', content: handing(task) }];
    const body = { model: 'sim/echo', stream: false, tools: both };
    const first = await answerTo({ ...body, input });
    const transcript = first.output[1]?.['subagent_items'] as readonly Item[];
    deepEqual(
      transcript.map((item) => item['type']),
      ['message', 'function_call', 'function_call_output', 'function_call'],
    );
    const more = [...input, ...first.output, ...outputsOf(first.output)];
    const second = await answerTo({ ...body, input: more });
    equal(second.output[0]?.['outcome'], 'done');
  });

  test('may call no other function than those that are named', async () => {
    const named = [{ type, parameters: { inherited_function_names: [' look '] } }, look];
    const other = { ...look, name: 'other' };
    const body = { model: 'sim/echo', stream: false, tools: [...named, other] };
    const looking = await answerTo({ ...body, input: handing('call look {} then say done') });
    equal(looking.output[0]?.['status'], 'in_progress');
    const wrong = await answerTo({ ...body, input: handing('call other {} then say done') });
    equal(wrong.output[0]?.['status'], 'failed');
  });

  test('that cannot go on is an error for the model', async () => {
    const input = [{ role: 'user', content: handing('call look {} then say done') }];
    const body = { model: 'sim/echo', stream: false, tools };
    const first = await answerTo({ ...body, input });
    const bare = first.output.map(({ subagent_items: _items, ...item }) => item);
    const second = await answerTo({ ...body, input: [...input, ...bare, ...outputsOf(bare)] });
    deepEqual(typesOf(second.output), [
      [type, 'failed'],
      ['message', 'completed'],
    ]);
    // Without the tool the model reads a text about it.
    const later = { role: 'user', content: 'And now?' };
    const more = [...input, ...first.output, ...outputsOf(first.output), later];
    const third = await answerTo({ model: 'sim/echo', stream: false, input: more });
    deepEqual(typesOf(third.output), [['message', 'completed']]);
  });
});

describe('the call of a worker', () => {
  const agent = { type, id: 'st_1', call_id: 's', status: 'in_progress' };
  const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' };

  test.each<[readonly object[], string]>([
    [[agent, { ...call, subagent_id: 'other' }, output], 'input[1].subagent_id'],
    [[agent, { ...call, subagent_items: [] }, output], 'input[1].subagent_id'],
    [[agent, { ...call, subagent_id: 's' }], 'input[1].call_id'],
    [
      [agent, { ...call, subagent_id: 's', subagent_items: 'x' }, output],
      'input[1].subagent_items',
    ],
    [
      [agent, { ...call, subagent_id: 's', subagent_items: [{ type: 'message' }] }, output],
      'input[1].subagent_items[0].role',
    ],
    [
      [agent, { ...call, subagent_id: 's', subagent_items: [{ type: 'reasoning' }] }, output],
      'input[1].subagent_items[0].id',
    ],
  ])('is refused by the path: %o', async (input, path) => {
    const reply = await routing.call({ model: 'sim/echo', input, tools });
    const text = await textOf(reply);
    equal(reply.status, 400, text);
    ok(text.includes(`${path}:`), text);
  });

  test.each(['chat-completions', 'messages'] as const)('has no place in %s', async (dialect) => {
    for (const parameters of [
      { inherit_functions: true },
      { inherited_function_names: ['look'] },
    ]) {
      const own =
        dialect === 'messages'
          ? { name: 'look', input_schema: { type: 'object' } }
          : { type: 'function', function: { name: 'look' } };
      const one = { dialect, model: 'sim/echo', stream: false };
      const body = bodyOf(one, { content: 'x', tools: [{ type, parameters }, own] });
      const reply = await routing.call(body, { dialect });
      const text = await textOf(reply);
      equal(reply.status, 400, text);
      ok(text.includes(`tools[0].parameters.${Object.keys(parameters)[0] ?? ''}`), text);
      match(text, /not here/);
    }
  });
});
