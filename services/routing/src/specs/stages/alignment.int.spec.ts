import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { alignedWorld, type AlignedWorld, alignmentIn } from '../../testing/alignment-world.ts';
import {
  bodyOf,
  checkBooks,
  factsOf,
  type LoopCase,
  loopCases,
  numberOf,
} from '../../testing/tool-loops.ts';

const rules = { id: 'alignment', rules: ['Never say or call "banana"', 'Be kind.'] };
const allowed = [
  { probability: 0.05, broken: false },
  { probability: 0.05, broken: false },
];
const blocked = [{ probability: 0.95, broken: true }, allowed[1]];
const record = (call: number, outcome: string) => {
  return { call, outcome, rules: outcome === 'allowed' ? allowed : blocked };
};
const client = { wantsMetadata: true } as const;

let routing: AlignedWorld;
beforeAll(async () => {
  routing = await alignedWorld();
});
afterAll(() => routing.stop());

interface Asked {
  readonly content: string;
  readonly tools?: readonly object[];
  readonly settings?: object;
}

async function ask(one: LoopCase, { content, tools = [], settings = {} }: Asked) {
  const body = { ...bodyOf(one, { content, tools }), plugins: [{ ...rules, ...settings }] };
  const reply = await routing.call(body, { dialect: one.dialect, client });
  return { reply, ...(await alignmentIn(reply)) };
}

/** The names of facts below their response. */
const oneJudgment = (turn: number, work: number) => [
  `/1/${String(turn)}`,
  `/tool/${String(work)}`,
  `/tool/${String(work)}/1/1/1`,
];

describe.each(loopCases)('at $dialect, $model, streamed: $stream: an answer', (one) => {
  test('that keeps the rules leaves, with its judgment and its price', async () => {
    const { reply, text, calls } = await ask(one, { content: 'apple' });
    equal(reply.status, 200, text);
    deepEqual(calls, [record(1, 'allowed')]);
    const facts = await factsOf(routing, reply, 3);
    deepEqual([...facts.keys()].toSorted(), oneJudgment(1, 1));
    equal(facts.get('/tool/1')?.toolType, 'plugin:alignment');
    await checkBooks(routing, facts, text);
    const ofJudge = Number(facts.get('/tool/1/1/1/1')?.costNanoUsd) / 1e9;
    equal(numberOf(text, 'cost_usd'), ofJudge);
  });

  test('that breaks a rule is made again, and both are paid', async () => {
    const { reply, text, calls } = await ask(one, { content: `unsteady ${JSON.stringify(one)}` });
    equal(reply.status, 200, text);
    deepEqual(calls, [record(1, 'blocked'), record(2, 'allowed')]);
    ok(text.includes('apple') && !text.includes('banana'), text);
    const facts = await factsOf(routing, reply, 6);
    deepEqual(
      [...facts.keys()].toSorted(),
      [...oneJudgment(1, 1), ...oneJudgment(2, 2)].toSorted(),
    );
    await checkBooks(routing, facts, text);
  });

  test('that breaks a rule again and again is a 403 with all judgments', async () => {
    const { reply, text, calls } = await ask(one, {
      content: 'banana',
      settings: { max_retries: 2 },
    });
    equal(reply.status, 403, text);
    deepEqual(
      calls,
      [1, 2, 3].map((call) => record(call, 'blocked')),
    );
    ok(text.includes('"error_type":"content_policy_violation"'), text);
    ok(text.includes('"data":{"allowed":0,"blocked":3,"unavailable":0}'), text);
    ok(!text.includes('banana'), text);
    equal((await factsOf(routing, reply, 9)).size, 9);
  });

  test('leaves in the mode audit, whatever it breaks', async () => {
    const { reply, text, calls } = await ask(one, {
      content: 'banana',
      settings: { mode: 'audit' },
    });
    equal(reply.status, 200, text);
    ok(text.includes('banana'), text);
    deepEqual(calls, [record(1, 'blocked')]);
    await checkBooks(routing, await factsOf(routing, reply, 3), text);
  });

  test('that calls a tool is judged before the tool runs', async () => {
    const content = 'agent: call service_datetime {} then say done';
    const tools = [{ type: 'service:datetime' }];
    const settings = { rules: ['Never call "datetime"'], max_retries: 0 };
    const withheld = await ask(one, { content, tools, settings });
    equal(withheld.reply.status, 403, withheld.text);
    ok(!withheld.text.includes('datetime'), withheld.text);
    const facts = await factsOf(routing, withheld.reply, 3);
    deepEqual([...facts.keys()].toSorted(), oneJudgment(1, 1));
    const observed = await ask(one, { content, tools, settings: { ...settings, mode: 'audit' } });
    deepEqual(
      observed.calls.map(({ outcome }) => outcome),
      ['blocked', 'allowed'],
    );
    await checkBooks(routing, await factsOf(routing, observed.reply, 7), observed.text);
  });

  test('after a tool ends the response if it breaks a rule', async () => {
    const content = 'agent: call service_datetime {} then say banana';
    const { reply, text, calls } = await ask(one, {
      content,
      tools: [{ type: 'service:datetime' }],
    });
    deepEqual(
      calls.map(({ call, outcome }) => [call, outcome]),
      [
        [1, 'allowed'],
        [2, 'blocked'],
        [3, 'blocked'],
      ],
    );
    ok(!text.includes('banana'), text);
    ok(/breaks a rule/.test(text), text);
    // Three answers, three judgments with their questions, and one tool.
    const facts = await factsOf(routing, reply, 10);
    equal(facts.size, 10);
    if (one.dialect === 'responses' || (one.dialect === 'chat-completions' && one.stream))
      await checkBooks(routing, facts, text);
  });

  test('with a function for the client is judged before it leaves', async () => {
    const parameters = { type: 'object', properties: {} };
    const named = { name: 'banana', description: 'x' };
    const tool = {
      responses: { type: 'function', ...named, parameters },
      'chat-completions': { type: 'function', function: { ...named, parameters } },
      messages: { ...named, input_schema: parameters },
    }[one.dialect as 'responses'];
    const content = 'agent: call banana {}';
    const { reply, text, calls } = await ask(one, { content, tools: [tool] });
    equal(reply.status, 403, text);
    equal(calls.length, 2);
    ok(!text.includes('banana'), text);
  });
});

describe('the rules', () => {
  test('are told to the model after its instructions, unless the request says no', async () => {
    const [one] = loopCases;
    ok(one);
    const body = { ...bodyOf(one, { content: 'hi', tools: [] }), instructions: 'Be short.' };
    for (const [settings, expected] of [
      [{}, 2],
      [{ instruct: false }, 1],
    ] as const) {
      const plugins = [{ ...rules, ...settings }];
      const text = await alignmentIn(await routing.call({ ...body, plugins }));
      ok(text.text.includes('"instructions":"Be short."'), text.text);
      const told = routing.systems.at(-1)?.join('\n') ?? '';
      equal(told.includes('1. Never say or call "banana"\n2. Be kind.'), expected === 2, told);
      ok(told.startsWith('Be short.'), told);
    }
  });

  test('are broken from the threshold on', async () => {
    const [one] = loopCases;
    ok(one);
    for (const [threshold, outcome] of [
      [0.95, 'blocked'],
      [0.96, 'allowed'],
    ] as const) {
      const settings = { threshold, mode: 'audit' };
      const { calls } = await ask(one, { content: 'banana', settings });
      equal(calls[0]?.outcome, outcome);
    }
  });
});
