import { deepEqual, equal, match } from 'node:assert/strict';
import { agentScript } from '@sluice/simulator';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { checkBooks, doors, factsOf, bodyOf } from '../../testing/tool-loops.ts';

// Tools that ask models: no tool asks itself, however deep, and a response asks a hundred times at most.

/** The names of the tools that each call of a model was offered. */
let offered: string[][];
let routing: RoutingHarness;
beforeEach(async () => {
  offered = [];
  routing = await routingHarness({
    script: (prompt) => {
      offered.push(prompt.tools.map(({ name }) => name));
      return agentScript(prompt);
    },
  });
});
afterEach(() => routing.stop());

const questionsMax = 100;
const reached = /the limit of model calls is reached/;
const calling = (name: string, args: object) => `call ${name} ${JSON.stringify(args)}`;
const advice = calling('service_advisor', { prompt: 'What next?' });
const handing = (task: string) =>
  calling('service_subagent', { task_name: 'part', task_description: `agent: ${task}` });
const fusing = (prompt: string) => calling('service_fusion', { prompt });
const repeated = (call: string, count: number) =>
  Array.from({ length: count }, () => call).join(' and ');

interface Item {
  readonly type: string;
  readonly status: string;
  readonly error?: string;
  readonly outcome?: string;
  readonly failure_reason?: string;
}

async function ask(script: string, tools: readonly object[], more: object = {}) {
  const reply = await routing.call({
    model: 'sim/chat',
    input: `agent: ${script}`,
    tools,
    ...more,
  });
  const text = await textOf(reply);
  equal(reply.status, 200, text.slice(0, 500));
  const { status, output } = JSON.parse(text) as { status: string; output: readonly Item[] };
  equal(status, 'completed');
  equal(output.at(-1)?.type, 'message');
  return { reply, text, items: output.slice(0, -1) };
}

const fusion = { type: 'service:fusion' };
const panelOf = (tools: readonly object[]) => ({
  ...fusion,
  parameters: { analysis_models: ['sim/echo'], tools },
});
const workerWith = (tools: readonly object[]) => ({
  type: 'service:subagent',
  parameters: { tools, max_tool_calls: 25 },
});
const advisor = { type: 'service:advisor' };

describe('a tool that asks models', () => {
  test('is left out of what it asks, and of what is asked within that', async () => {
    const panel = panelOf([fusion, workerWith([fusion, advisor])]);
    const asked = fusing(`agent: ${handing(`${advice} then say done`)} then say done`);
    const { reply, text, items } = await ask(`${asked} then say done`, [panel]);
    deepEqual(
      items.map(({ type, status }) => [type, status]),
      [['service:fusion', 'completed']],
    );
    deepEqual(offered, [
      ['service_fusion'],
      ['service_subagent'],
      ['service_advisor'],
      [],
      ['service_advisor'],
      ['service_subagent'],
      [],
      ['service_fusion'],
    ]);
    const [panelist, worker] = ['/tool/1/1', '/tool/1/1/tool/1/1'];
    const facts = await factsOf(routing, reply, 11);
    const expected = [
      ['/1/1', '/1/2', '/tool/1', '/tool/1/2/1/1'],
      ['/1/1', '/1/2', '/tool/1'].map((step) => `${panelist}${step}`),
      ['/1/1', '/1/2', '/tool/1', '/tool/1/1/1/1'].map((step) => `${worker}${step}`),
    ];
    deepEqual([...facts.keys()].toSorted(), expected.flat().toSorted());
    await checkBooks(routing, facts, text);
  });

  test('does not run for a model that calls it all the same', async () => {
    const panel = panelOf([fusion, advisor]);
    const asked = fusing(`agent: ${fusing('Again?')}`);
    const { reply, items } = await ask(`${asked} then say done`, [panel]);
    deepEqual(
      items.map(({ status, failure_reason }) => [status, failure_reason]),
      [['incomplete', 'all_panels_failed']],
    );
    const facts = await factsOf(routing, reply, 4);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1', '/tool/1/1/1/1']);
  });
});

describe('a response asks models a hundred times', () => {
  const stop_server_tools_when = [{ type: 'step_count_is', step_count: 2 }];

  test.each(doors)(
    'and each more question is an error that the model reads: %s',
    async (dialect) => {
      const content = `agent: ${repeated(advice, questionsMax + 1)} then say done`;
      const one = { dialect, model: 'sim/chat', stream: false };
      const asked = bodyOf(one, { content, tools: [advisor] });
      const body = {
        ...asked,
        ...(dialect === 'messages' && { max_tokens: 5_000 }),
        stop_server_tools_when,
      };
      const reply = await routing.call(body, { dialect });
      const text = await textOf(reply);
      equal(reply.status, 200, text.slice(0, 500));
      match(text, /done/);
      const facts = await factsOf(routing, reply, 2 + questionsMax + 1 + questionsMax);
      equal(questionsOf(facts).size, questionsMax);
      equal(offered.length, questionsMax + 2);
      await checkBooks(routing, facts, text);
    },
  );

  test('at all depths together', async () => {
    const task = repeated(advice, 25);
    const script = `${repeated(handing(task), 4)} then say done`;
    const { reply, text, items } = await ask(script, [workerWith([advisor])], {
      parallel_tool_calls: false,
      stop_server_tools_when,
    });
    deepEqual(
      items.map(({ status }) => status),
      Array.from({ length: 4 }, () => 'completed'),
    );
    // Each worker has two turns. Each call of a tool is a fact, also one that fails.
    const facts = await factsOf(routing, reply, 2 + 4 + 4 * 2 + 4 * 25 + (questionsMax - 4));
    equal(questionsOf(facts).size, questionsMax);
    await checkBooks(routing, facts, text);
  });

  test('and a panel that may not be asked any more says so', async () => {
    const script = `${repeated(advice, questionsMax)} then ${fusing('Well?')} then say done`;
    const more = { stop_server_tools_when: [{ type: 'step_count_is', step_count: 3 }] };
    const { text, items } = await ask(script, [advisor, panelOf([])], more);
    match(text, reached);
    deepEqual(
      items.slice(-2).map(({ type, status, failure_reason }) => [type, status, failure_reason]),
      [
        ['service:advisor', 'completed', undefined],
        ['service:fusion', 'incomplete', 'rate_limited'],
      ],
    );
  });
});

/** Returns the places of the questions that a model was called for. */
function questionsOf(
  facts: ReadonlyMap<string, { readonly apiType: string }>,
): ReadonlySet<string> {
  const calls = [...facts].filter(([, { apiType }]) => apiType !== 'tool').map(([id]) => id);
  return new Set(
    calls.filter((id) => id.startsWith('/tool/')).map((id) => id.replace(/\/\d+\/\d+$/, '')),
  );
}
