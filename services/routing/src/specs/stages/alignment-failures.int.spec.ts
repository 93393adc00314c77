import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { alignedWorld, type AlignedWorld, alignmentIn } from '../../testing/alignment-world.ts';
import { assignFilters } from '../../testing/assign-filters.ts';
import { errorOf, eventually, somebody, textOf } from '../../testing/routing-harness.ts';
import { checkBooks, factsOf } from '../../testing/tool-loops.ts';

const rules = { id: 'alignment', rules: ['Never say "banana"'] };
const plugins = [rules];
const client = { wantsMetadata: true } as const;
const says = (text: string) => ({ parts: [{ type: 'text', name: '', text }] }) as const;
const verdicts = (...given: readonly object[]) => says(JSON.stringify({ verdicts: given }));

/** The wish of the evaluator, by the first word of the message that it judges. */
const judge: Script = ({ turns }) => {
  const [, word = ''] =
    /"text":"(?:You said: )?(\w+)/.exec(turns.at(-1)?.text.replace(/.*"message"/, '') ?? '') ?? [];
  switch (word) {
    case 'words':
      return says('I cannot say.');
    case 'twice':
      return verdicts({ rule: 1, probability: 0.1 }, { rule: 1, probability: 0.2 });
    case 'other':
      return verdicts({ rule: 2, probability: 0.1 });
    case 'much':
      return verdicts({ rule: 1, probability: 1.5 });
    case 'text':
      return verdicts({ rule: 1, probability: '0.1' });
    case 'long':
      return says('{"verdicts": [' + 'very '.repeat(9_000));
    case 'broken':
      return { directives: ['error-500'] };
    case 'silent':
      return { directives: ['hang'] };
    case 'fenced':
      return says('Here it is:\n```json\n{"verdicts": [{"rule": 1, "probability": 0.2}]}\n```');
    default:
      return undefined;
  }
};

let routing: AlignedWorld;
/** An evaluation has little time there. */
let impatient: AlignedWorld;
let waiting: AlignedWorld;
let unequipped: AlignedWorld;
beforeAll(async () => {
  routing = await alignedWorld({ script: judge });
  impatient = await alignedWorld({ script: judge, alignment: { timeoutMs: 500 } });
  waiting = await alignedWorld({ limits: { statusHeldMs: 0 } });
  unequipped = await alignedWorld({ alignment: { model: 'nobody/nothing' } });
});
afterAll(() => Promise.all([routing, impatient, waiting, unequipped].map((world) => world.stop())));

describe('an evaluation', () => {
  test.each([
    ['words', 'malformed_answer'],
    ['twice', 'malformed_answer'],
    ['other', 'malformed_answer'],
    ['much', 'malformed_answer'],
    ['text', 'malformed_answer'],
    ['long', 'cut'],
    ['broken', 'evaluator_error'],
  ])('of a message about %s fails, is told, and lets the answer leave', async (input, reason) => {
    const reply = await routing.call({ model: 'sim/echo', input, plugins }, { client });
    const { text, calls } = await alignmentIn(reply);
    equal(reply.status, 200, text);
    deepEqual(calls, [{ call: 1, outcome: 'unavailable', reason }]);
    ok(text.includes(`You said: ${input}`), text);
    match(text, /"data":\{"allowed":0,"blocked":0,"unavailable":1\}/);
    match(await routing.metrics(), new RegExp(`alignment_evaluations_total.*"${reason}".* [1-9]`));
    const facts = await factsOf(routing, reply, reason === 'evaluator_error' ? 2 : 3);
    equal(facts.get('/tool/1')?.outcome, 'failed');
    if (reason !== 'evaluator_error') await checkBooks(routing, facts, text);
  });

  test('that takes too long fails, is told, and lets the answer leave', async () => {
    const reply = await impatient.call({ model: 'sim/echo', input: 'silent', plugins });
    const { text, calls } = await alignmentIn(reply);
    equal(reply.status, 200, text);
    deepEqual(calls, [{ call: 1, outcome: 'unavailable', reason: 'time_limit' }]);
    ok(text.includes('You said: silent'), text);
    match(await impatient.metrics(), /alignment_evaluations_total.*"time_limit".* [1-9]/);
  });

  test('with words around it counts', async () => {
    const reply = await routing.call({ model: 'sim/echo', input: 'fenced', plugins });
    deepEqual((await alignmentIn(reply)).calls, [
      { call: 1, outcome: 'allowed', rules: [{ probability: 0.2, broken: false }] },
    ]);
  });

  test('is made without money for it: the answer leaves, and is told', async () => {
    const principal = { ...somebody, keyHash: 'short', limitNanoUsd: 200_000n };
    const body = { model: 'sim/echo', input: 'apple', max_output_tokens: 20, plugins };
    const { text, calls } = await alignmentIn(await routing.call(body, { principal }));
    deepEqual(calls, [{ call: 1, outcome: 'unavailable', reason: 'evaluator_error' }], text);
  });
});

describe('an answer', () => {
  test('that cannot be made again for want of money ends with both reasons', async () => {
    const principal = { ...somebody, keyHash: 'once', limitNanoUsd: 5_000_000n };
    const body = { model: 'sim/echo', input: 'banana', max_output_tokens: 2_400, plugins };
    const reply = await routing.call(body, { principal });
    const { text, calls } = await alignmentIn(reply);
    equal(reply.status, 402, text);
    deepEqual(
      calls.map(({ outcome }) => outcome),
      ['blocked'],
    );
    equal((await factsOf(routing, reply, 3)).size, 3);
  });

  test('that broke off is not shown', async () => {
    const body = { model: 'sim/sim-cut-3', input: 'apple apple apple apple', plugins };
    for (const stream of [false, true]) {
      const reply = await routing.call({ ...body, stream });
      const text = await textOf(reply);
      equal(reply.status, 502, text);
      ok(!text.includes('You said'), text);
    }
  });

  test('that is cut at its limit is judged with the call that has no end', async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } } };
    const tools = [{ type: 'function', name: 'say', parameters }];
    const input = 'agent: call say {"text":"banana one two three four five six seven"}';
    const body = { model: 'sim/echo', input, tools, max_output_tokens: 16, plugins };
    const { text, calls } = await alignmentIn(await routing.call(body));
    equal(calls[0]?.outcome, 'blocked', text);
    ok(!text.includes('"name":"say","arguments"'), text);
  });

  test('of an open stream that is withheld ends it as failed, with all usage', async () => {
    const body = { model: 'sim/echo', input: 'banana', stream: true, plugins };
    const reply = await waiting.call(body);
    const { text, calls } = await alignmentIn(reply);
    equal(reply.status, 200);
    equal(calls.length, 2);
    match(text, /response\.failed/);
    ok(!text.includes('You said'), text);
    await checkBooks(waiting, await factsOf(waiting, reply, 6), text);
  });

  test.each([
    ['redact', '[SSN]', 'completed'],
    ['block', 'Mine is', 'incomplete'],
  ])('is judged after filters of the output that %s', async (action, shown, status) => {
    const keyHash = assignFilters(routing.policies, {
      builtin: { ssn: action },
      scanOutput: 'end',
    });
    const principal = { ...somebody, keyHash };
    const hidden = `[sim:says-${Buffer.from('Mine is 123-45-6789.').toString('hex')}]`;
    const settings = { ...rules, rules: ['Never say "6789"'] };
    const body = { model: 'sim/echo', input: hidden, plugins: [settings] };
    const { text, calls } = await alignmentIn(await routing.call(body, { principal, client }));
    deepEqual(
      calls.map(({ outcome }) => outcome),
      ['allowed'],
    );
    ok(!text.includes('-6789'), text);
    equal((JSON.parse(text) as { status: string }).status, status, text);
    ok(text.includes(shown), text);
  });

  test('of a worker with calls for the client is judged before they leave', async () => {
    const look = { type: 'function', name: 'look', parameters: { type: 'object' } };
    const type = 'service:subagent';
    const tools = [{ type, parameters: { inherit_functions: true } }, look];
    const args = JSON.stringify({ task_name: 'part', task_description: 'agent: call look {}' });
    const input = `agent: call service_subagent ${args}`;
    const ask = (mode: string) => {
      const settings = { ...rules, rules: ['Call "subagent"'], mode };
      return routing.call({ model: 'sim/echo', input, tools, plugins: [settings] });
    };
    const withheld = await alignmentIn(await ask('enforce'));
    deepEqual(
      withheld.calls.map(({ outcome }) => outcome),
      ['allowed', 'blocked'],
    );
    const { status, output } = JSON.parse(withheld.text) as {
      status: string;
      output: readonly { type: string }[];
    };
    equal(status, 'failed');
    ok(!output.some((item) => item.type === 'function_call'), withheld.text);
    const observed = await alignmentIn(await ask('audit'));
    equal(observed.calls.at(-1)?.outcome, 'blocked');
    ok(observed.text.includes('"type":"function_call"'), observed.text);
  });

  test('is not judged for a client that has left', async () => {
    const leaving = new AbortController();
    const body = { model: 'sim/sim-slow-20', input: 'banana one two three', stream: true, plugins };
    const reply = await waiting.call(body, { signal: leaving.signal });
    leaving.abort();
    await textOf(reply);
    const facts = await factsOf(waiting, reply, 1);
    ok(
      [...facts.keys()].every((name) => !name.startsWith('/tool')),
      [...facts.keys()].join(),
    );
  });
});

describe('the plugin', () => {
  const outsider = { ...somebody, accountId: 'outsider', keyHash: 'outsider' };
  const refusal = 'The account is not admitted to the beta of the plugin alignment';

  test.each(['responses', 'chat-completions', 'messages'] as const)(
    'at %s is refused for accounts outside its beta',
    async (dialect) => {
      const asked = [{ role: 'user', content: 'hi' }];
      const body = { model: 'sim/echo', input: asked, messages: asked, max_tokens: 50, plugins };
      const reply = await routing.call(body, { dialect, principal: outsider });
      equal(reply.status, 403);
      ok((await textOf(reply)).includes(refusal));
    },
  );

  test('is refused for a request that is only counted, too', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const body = { model: 'sim/echo', messages, plugins };
    const reply = await routing.call(body, { dialect: 'count-tokens', principal: outsider });
    equal(reply.status, 403);
    const counted = await routing.call(body, { dialect: 'count-tokens' });
    const without = await routing.call({ ...body, plugins: [] }, { dialect: 'count-tokens' });
    const countIn = (text: string) => Number(/"input_tokens":(\d+)/.exec(text)?.[1]);
    ok(countIn(await textOf(counted)) > countIn(await textOf(without)));
  });

  test('is refused as a default of the workspace, until the account is admitted', async () => {
    routing.policies.defaultPlugins = [{ ...rules, prevent_overrides: true }];
    const principal = {
      ...somebody,
      accountId: 'later',
      workspaceId: 'w-default',
      keyHash: 'later',
    };
    const ask = () => routing.call({ model: 'sim/echo', input: 'banana' }, { principal });
    try {
      equal((await errorOf(await ask())).message, refusal);
      routing.accounts.aligned.add('later');
      const { calls } = await eventually(async () => {
        const found = await alignmentIn(await ask());
        return found.calls.length > 0 ? found : undefined;
      }, 'the admission');
      deepEqual(
        calls.map(({ outcome }) => outcome),
        ['blocked', 'blocked'],
      );
    } finally {
      routing.policies.defaultPlugins = [];
    }
  });

  test('is a 503 while nobody knows the account', async () => {
    routing.accounts.isUp = false;
    try {
      const principal = { ...somebody, accountId: 'stranger', keyHash: 'stranger' };
      const body = { model: 'sim/echo', input: 'hi', plugins };
      equal((await routing.call(body, { principal })).status, 503);
      equal((await routing.call({ ...body, plugins: [] }, { principal })).status, 200);
    } finally {
      routing.accounts.isUp = true;
    }
  });

  test('is a 400 where no evaluator is set up', async () => {
    const reply = await unequipped.call({ model: 'sim/echo', input: 'hi', plugins });
    equal(reply.status, 400);
    match(await textOf(reply), /SLUICE_ALIGNMENT_MODEL names no model of the catalog/);
  });

  test('asks the account service for nothing else', async () => {
    const before = routing.accounts.timesAsked;
    const principal = { ...somebody, accountId: 'plain', keyHash: 'plain' };
    const reply = await routing.call({ model: 'sim/echo', input: 'hi' }, { principal });
    ok(!(await textOf(reply)).includes('alignment'));
    equal(routing.accounts.timesAsked, before);
  });
});

describe('the response cache', () => {
  const cached = { wantsMetadata: true, cache: { isOn: true } } as const;

  test('repeats an answer with its judgment, and judges nothing', async () => {
    const body = { model: 'sim/echo', input: 'cached apple', plugins };
    const reply = await routing.call(body, { client: cached });
    const first = await alignmentIn(reply);
    await factsOf(routing, reply, 3);
    const asked = routing.ledger.facts.length;
    const again = await routing.call(body, { client: cached });
    equal(again.headers['x-service-cache-status'], 'HIT');
    deepEqual((await alignmentIn(again)).calls, first.calls);
    await factsOf(routing, again, 1);
    const added = routing.ledger.facts.slice(asked).filter(({ apiType }) => apiType === 'tool');
    deepEqual(added, []);
  });

  test('keeps no answer that could not be judged', async () => {
    const body = { model: 'sim/echo', input: 'broken cache', plugins };
    for (const _ of [1, 2]) {
      const reply = await routing.call(body, { client: cached });
      equal(reply.headers['x-service-cache-status'], 'MISS');
    }
  });
});
