import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, loopCases } from '../../testing/tool-loops.ts';

// The model calls `service:subagent`, another model does the task with tools of its own, and the model goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: { drainMs: 20 } });
});
afterAll(() => routing.stop());

const type = 'service:subagent';
const clock = { type: 'service:datetime' };

/** Makes the model hand over a task, which is a script, too. */
function handing(task: string): string {
  const args = JSON.stringify({ task_name: 'part', task_description: `agent: ${task}` });
  return `agent: call service_subagent ${args}`;
}

interface Item {
  readonly type: string;
  readonly status: string;
  readonly call_id?: string;
  readonly task_name?: string;
  readonly name?: string;
  readonly instance_name?: string;
  readonly model?: string;
  readonly outcome?: string;
  readonly error?: string;
}

async function itemOf(parameters: object, task = 'say done'): Promise<Item | undefined> {
  const tools = [{ type, parameters }];
  const reply = await routing.call({ model: 'sim/echo', input: handing(task), tools });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return (JSON.parse(text) as { output: readonly Item[] }).output[0];
}

describe('a loop of service:subagent', () => {
  test.each(loopCases)('$dialect of $model, streamed: $stream', async (one) => {
    const parameters = { instructions: 'You work.', tools: [clock], max_tool_calls: 2 };
    const content = handing('call service_datetime {} then say done');
    const body = bodyOf(one, { content, tools: [{ type, parameters }] });
    const reply = await routing.call(body, { dialect: one.dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /outcome\W+done/);
    const facts = await factsOf(routing, reply, 6);
    deepEqual([...facts.keys()].toSorted(), [
      '/1/1',
      '/1/2',
      '/tool/1',
      '/tool/1/1/1/1',
      '/tool/1/1/1/2',
      '/tool/1/1/tool/1',
    ]);
    await checkBooks(routing, facts, text);
  });
});

describe('a worker', () => {
  test('has the model and the names of its settings', async () => {
    const item = await itemOf({ model: 'sim/chat', name: ' Ann ' });
    ok(item?.call_id);
    deepEqual(
      [item.status, item.model, item.name, item.task_name, item.outcome],
      ['completed', 'sim/chat', 'Ann', 'part', 'done'],
    );
    equal(item.instance_name, undefined);
  });

  test('that calls tools without an end stops at its limit', async () => {
    const parameters = { tools: [clock], max_tool_calls: 2 };
    const content = handing('call service_datetime {} forever');
    const tools = [{ type, parameters }];
    const reply = await routing.call({ model: 'sim/echo', input: content, tools });
    equal(reply.status, 200);
    const facts = await factsOf(routing, reply, 8);
    const ran = [...facts.keys()].filter((id) => id.startsWith('/tool/1/1/tool/'));
    deepEqual(ran.toSorted(), ['/tool/1/1/tool/1', '/tool/1/1/tool/2']);
    await checkBooks(routing, facts, await textOf(reply));
  });

  test.each([
    [{ model: 'sim/echo-sim-error-500' }, /./],
    [{ model: 'no/such' }, /no\/such/],
    [{ model: 'sim/echo-sim-empty' }, /./],
  ])('that fails is a result for the model: %o', async (parameters, error) => {
    const item = await itemOf(parameters);
    deepEqual([item?.type, item?.status, item?.outcome], [type, 'failed', undefined]);
    match(item?.error ?? '', error);
  });

  test('that calls a tool which only a client runs is an error', async () => {
    const item = await itemOf({ tools: [{ type: 'service:bash' }] }, 'call service_bash {}');
    match(item?.error ?? '', /only a client runs/);
  });
});

describe('a task of an earlier turn', () => {
  test('is read by the model as the call and its outcome', async () => {
    const told = { task_name: 'part', task_description: 'x', outcome: 'word '.repeat(200) };
    const earlier = { type, id: 'st_1', call_id: 'c', status: 'completed', ...told };
    const input = [earlier, { role: 'user', content: 'And now?' }];
    const before = (await routing.receipts()).length;
    const reply = await routing.call({ model: 'sim/echo', input, tools: [{ type }] });
    equal(reply.status, 200, await textOf(reply));
    const [receipt] = (await routing.receipts()).slice(before);
    ok((receipt?.input_tokens ?? 0) > 200);
  });
});

const look = (dialect: string): object => {
  const schema = { type: 'object' };
  if (dialect === 'messages') return { name: 'look', input_schema: schema };
  const described = { name: 'look', parameters: schema };
  return dialect === 'responses'
    ? { type: 'function', ...described }
    : { type: 'function', function: described };
};

describe('the settings of a worker', () => {
  const own = { type, parameters: {} };

  test.each<[object[], string]>([
    [[{ name: '' }], '[0].parameters.name'],
    [[{ name: 'a' }, { name: ' a ' }], '[1].parameters.name'],
    [[{}, {}], '[1].parameters.name'],
    [[{ max_tool_calls: 0 }], '[0].parameters.max_tool_calls'],
    [[{ max_tool_calls: 26 }], '[0].parameters.max_tool_calls'],
    [[{ max_completion_tokens: 0 }], '[0].parameters.max_completion_tokens'],
    [[{ temperature: 2.1 }], '[0].parameters.temperature'],
    [[{ reasoning: { effort: 'huge' } }], '[0].parameters.reasoning.effort'],
    [[{ model: '' }], '[0].parameters.model'],
    [[{ tools: 'x' }], '[0].parameters.tools'],
    [[{ tools: [{}] }], '[0].parameters.tools[0].type'],
    [[{ tools: [{ type: 'function', name: 'f' }] }], '[0].parameters.tools[0].type'],
    [[{ tools: [clock, own] }], '[0].parameters.tools[1].type'],
    [[{ tools: [{ type: 'service:nail' }] }], '[0].parameters.tools[0].type'],
    [
      [{ tools: [{ ...clock, parameters: { timezone: 'Mars/Olympus' } }] }],
      '[0].parameters.tools[0].parameters.timezone',
    ],
    [
      [{ tools: [{ type: 'service:advisor' }, { type: 'service:advisor' }] }],
      '[0].parameters.tools[1].parameters.name',
    ],
    [[{ inherit_functions: 1 }], '[0].parameters.inherit_functions'],
    [[{ inherited_function_names: [' '] }], '[0].parameters.inherited_function_names[0]'],
    [[{ inherited_function_names: ['look', 'no'] }], '[0].parameters.inherited_function_names[1]'],
  ])('are refused by the path at all doors: %o', async (all, path) => {
    for (const dialect of ['responses', 'chat-completions', 'messages'] as const) {
      const tools = [...all.map((parameters) => ({ type, parameters })), look(dialect)];
      const one = { dialect, model: 'sim/echo', stream: false };
      const reply = await routing.call(bodyOf(one, { content: 'x', tools }), { dialect });
      const text = await textOf(reply);
      equal(reply.status, 400, text);
      ok(text.includes(`tools${path}`), text);
    }
  });
});
