import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { isStream } from '@sluice/inference-port';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { assignFilters } from '../../testing/assign-filters.ts';
import {
  errorResult,
  type ServerTool,
  type ToolContext,
  type ToolResult,
} from '../../tools/tool.ts';

// The rules of the loop (contract inference.md 6). The simulator plays a model that calls tools by a script.

let run: (args: unknown, context: ToolContext) => Promise<ToolResult>;
const runs: ToolContext[] = [];

/** Runs what the test says, under the name of a tool that requests may have. */
const tool: ServerTool = {
  type: 'service:datetime',
  asFunction: () => ({
    description: 'A tool.',
    parameters: Type.Object({ timezone: Type.Optional(Type.String()) }),
  }),
  worstCost: () => 0n,
  replay: () => undefined,
  run(args, context) {
    runs.push(context);
    return run(args, context);
  },
};
const told: ToolResult = { output: 'it is late', item: { datetime: 'late', timezone: 'UTC' } };

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    tools: [tool],
    toolLimits: { callMs: 200, resultCharactersMax: 1_000 },
  });
});
afterAll(() => routing.stop());

interface Answer {
  readonly status: string;
  readonly output: readonly {
    readonly type: string;
    readonly status: string;
    readonly content?: readonly { readonly text: string }[];
  }[];
  readonly output_text: string;
  readonly max_tool_calls: number | null;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly error_type?: string;
  readonly usage: {
    readonly server_tool_use_details: {
      readonly tool_calls_requested: number;
      readonly tool_calls_executed: number;
    };
  };
}

const tools = [{ type: 'service:datetime' }];
const call = 'call service_datetime';

async function ask(script: string, more: object = {}, options: object = {}): Promise<Answer> {
  run = async () => told;
  runs.length = 0;
  return await asked(script, more, options);
}

async function asked(script: string, more: object = {}, options: object = {}): Promise<Answer> {
  const body = { model: 'sim/echo', input: `agent: ${script}`, tools, ...more };
  const reply = await routing.call(body, options);
  const text = await textOf(reply);
  if (!('stream' in more)) return JSON.parse(text) as Answer;
  ok(isStream(reply.body), text);
  const last = text.split('data: ').at(-2) ?? '';
  return (JSON.parse(last) as { readonly response: Answer }).response;
}

const types = ({ output }: Answer) => output.map(({ type }) => type);
const executed = ({ usage }: Answer) => usage.server_tool_use_details.tool_calls_executed;
const requested = ({ usage }: Answer) => usage.server_tool_use_details.tool_calls_requested;

describe('a loop', () => {
  test.each([{}, { stream: true }])('runs as many steps as the model takes: %o', async (more) => {
    const answer = await ask(`say one and ${call} then ${call} and ${call} then say done`, more);
    deepEqual(types(answer), [
      'message',
      'service:datetime',
      'service:datetime',
      'service:datetime',
      'message',
    ]);
    equal(answer.output_text, 'onedone');
    equal(executed(answer), 3);
    equal(answer.status, 'completed');
    deepEqual(
      runs.map(({ uses }) => uses),
      [0, 1, 2],
    );
  });

  test('returns the calls of the client, after the server tools of that turn ran', async () => {
    const more = { tools: [...tools, { type: 'function', name: 'f', parameters: {} }] };
    const answer = await ask(`call f and ${call}`, more);
    deepEqual(types(answer).toSorted(), ['function_call', 'service:datetime']);
    equal(executed(answer), 1);
  });

  test.each(['required', { type: 'service:datetime' }])(
    'is forced in its first turn alone: %o',
    async (choice) => {
      const body = { model: 'sim/echo', input: 'the time?', tools, tool_choice: choice };
      run = async () => told;
      const answer = JSON.parse(await textOf(await routing.call(body))) as Answer;
      deepEqual(types(answer), ['service:datetime', 'message']);
    },
  );

  test('runs a bounded number of calls at once, and one by one if the client asks for that', async () => {
    let open = 0;
    let most = 0;
    const slow = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return told;
    };
    run = slow;
    await asked(`${call} and ${call} and ${call}`, { parallel_tool_calls: false });
    equal(most, 1);
    run = slow;
    await asked(Array(20).fill(call).join(' and '));
    equal(most, 8, 'as many at once as the operator allows');
  });
});

describe('the limits of a loop', () => {
  test.each([{}, { stream: true }])('end a model that calls for ever: %o', async (more) => {
    const answer = await ask(`${call} forever`, more);
    equal(executed(answer), 30);
    equal(answer.output.at(-1)?.type, 'message', 'the last turn has no tools');
    equal(answer.status, 'completed');
    equal(answer.max_tool_calls, 30);
  });

  test('are those of the client', async () => {
    const answer = await ask(`${call} and ${call} forever`, { max_tool_calls: 3 });
    equal(executed(answer), 3);
    equal(requested(answer), 4);
    equal(answer.max_tool_calls, 3);
    equal(answer.output.filter(({ status }) => status === 'incomplete').length, 1);
  });

  test.each<[object, number]>([
    [{ type: 'step_count_is', step_count: 2 }, 2],
    [{ type: 'has_tool_call', tool_name: 'service:datetime' }, 1],
    [{ type: 'max_tokens_used', max_tokens: 1 }, 1],
    [{ type: 'max_cost', max_cost_in_dollars: 0 }, 1],
    [{ type: 'finish_reason_is', reason: 'tool_calls' }, 1],
  ])('are stop conditions: %o', async (condition, count) => {
    const answer = await ask(`${call} forever`, {
      stop_server_tools_when: [condition],
      max_tool_calls: 1,
    });
    equal(executed(answer), count);
    equal(answer.output.at(-1)?.type, 'message');
    equal(answer.max_tool_calls, null, 'they replace the limit of calls');
  });
});

describe('a call that goes wrong is a result for the model', () => {
  test('arguments of another type', async () => {
    const answer = await ask(`${call} {"timezone":7}`);
    equal(answer.output[0]?.status, 'incomplete');
    match(answer.output_text, /timezone must be a string/);
    equal(runs.length, 0);
    equal(executed(answer), 0);
  });

  test.each<[string, typeof run, RegExp]>([
    ['fails', async () => errorResult('no clock'), /no clock/],
    [
      'throws',
      async () => {
        throw new Error('secret');
      },
      /the tool failed/,
    ],
    ['hangs', () => new Promise<ToolResult>(() => {}), /did not end in time/],
  ])('a tool that %s', async (_what, doing, reason) => {
    run = doing;
    const answer = await asked(`${call} then say done`);
    equal(answer.output[0]?.status, 'incomplete');
    equal(answer.status, 'completed');
    const failed = await asked(call);
    match(failed.output_text, reason);
    ok(!failed.output_text.includes('secret'));
  });

  test('a result of 10 MB is cut', async () => {
    run = async () => ({
      output: 'x'.repeat(10_000_000),
      item: { datetime: 'x'.repeat(10_000_000) },
    });
    const answer = await asked(call);
    ok(answer.output_text.length < 2_000);
    match(answer.output_text, /cut/);
    ok(JSON.stringify(answer.output).length < 10_000);
  });
});

describe('a later turn', () => {
  test.each([{}, { stream: true }])(
    'that fails ends the answer, and the rest is paid: %o',
    async (more) => {
      const answer = await ask(`${call} then (error-500)`, more);
      equal(answer.status, 'failed');
      deepEqual(types(answer), ['service:datetime']);
      equal(executed(answer), 1);
    },
  );

  test('that a filter of its input blocks is not called', async () => {
    const custom = [{ pattern: 'late', action: 'block' }];
    const keyHash = assignFilters(routing.policies, { custom });
    const principal = { ...somebody, keyHash };
    const before = (await routing.receipts()).length;
    const answer = await ask(`${call} then say done`, {}, { principal });
    equal(answer.status, 'failed');
    equal(answer.error_type, 'permission_denied');
    equal((await routing.receipts()).length, before + 1);
  });

  test('reads what a filter left of a result', async () => {
    const custom = [{ pattern: 'late', action: 'redact' }];
    const keyHash = assignFilters(routing.policies, { custom });
    const answer = await ask(call, {}, { principal: { ...somebody, keyHash } });
    match(answer.output_text, /it is \[REDACTED\]/);
  });

  test.each([{}, { stream: true }])(
    'is not called if a filter blocked the answer before: %o',
    async (more) => {
      const custom = [{ pattern: '^hello', action: 'block' }];
      const keyHash = assignFilters(routing.policies, { custom, scanOutput: 'block' });
      const before = (await routing.receipts()).length;
      const script = `say hello and ${call} then say done`;
      const answer = await ask(script, more, { principal: { ...somebody, keyHash } });
      equal(answer.status, 'incomplete', JSON.stringify(answer));
      equal(runs.length, 0);
      equal((await routing.receipts()).length, before + 1);
    },
  );
});

describe('a client that leaves', () => {
  test('while a tool runs stops the tool and the loop, and pays for what was done', async () => {
    const leaving = new AbortController();
    const started = Promise.withResolvers<ToolContext>();
    run = (_args, context) => {
      started.resolve(context);
      return new Promise(() => {});
    };
    const reply = await routing.call(
      { model: 'sim/echo', input: `agent: ${call}`, tools, stream: true },
      { signal: leaving.signal },
    );
    const reading = textOf(reply).catch(() => '');
    const { signal } = await started.promise;
    leaving.abort();
    await reading;
    ok(signal.aborted);
    const id = reply.headers['x-generation-id'] ?? '';
    const facts = await eventually(() => {
      const found = routing.ledger.facts.filter(({ generationId }) => generationId === id);
      return found.length === 2 ? found : undefined;
    }, 'the facts');
    deepEqual(facts.map(({ usageId }) => usageId.slice(id.length)).toSorted(), ['/1/1', '/tool/1']);
  });
});

test('two tools of one name are two functions', async () => {
  const more = {
    tools: [{ type: 'function', name: 'service_datetime', parameters: {} }, ...tools],
  };
  const answer = await ask('call service_datetime_2', more);
  deepEqual(types(answer), ['service:datetime', 'message']);
});

test('a response whose turns take too long fails, and what was done is paid', async () => {
  const slow = await routingHarness({
    tools: [tool],
    toolLimits: { callMs: 60_000, loopMs: 5_000 },
  });
  run = (_args, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(told), { once: true });
    });
  const body = { model: 'sim/echo', input: `agent: ${call} then say done`, tools };
  const answer = JSON.parse(await textOf(await slow.call(body))) as Answer;
  await slow.stop();
  equal(answer.status, 'failed');
  equal(answer.error_type, 'timeout');
  equal(executed(answer), 1);
});

test('a cap that is reached ends the loop with what is there, and is never overspent', async () => {
  const creditsNanoUsd = 2_000_000n;
  const poor = await routingHarness({ tools: [tool], creditsNanoUsd });
  run = async () => told;
  const body = {
    model: 'sim/echo',
    input: `agent: ${call} forever`,
    tools,
    max_output_tokens: 100,
    stop_server_tools_when: [{ type: 'step_count_is', step_count: 100 }],
  };
  const reply = await poor.call(body);
  const answer = JSON.parse(await textOf(reply)) as Answer;
  equal(answer.status, 'incomplete', JSON.stringify(answer).slice(0, 500));
  match(answer.incomplete_details?.reason ?? '', /^(credits_exhausted|token_limit_exceeded)$/);
  ok(executed(answer) > 1);
  const id = reply.headers['x-generation-id'] ?? '';
  const count = 2 * executed(answer);
  const facts = await eventually(() => {
    const found = poor.ledger.facts.filter(({ generationId }) => generationId === id);
    return found.length >= count ? found : undefined;
  }, 'the facts');
  await poor.stop();
  const spent = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
  ok(spent <= creditsNanoUsd);
});
