import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createEgress, type Egress, parseAllowList } from '@sluice/egress';
import type { InferenceReply } from '@sluice/inference-port';
import { createMcpClient } from '@sluice/mcp-client';
import { startMcpServer, type StartedMcpServer } from '@sluice/mcp-client/testing';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { assignFilters } from '../../testing/assign-filters.ts';
import {
  type CallOptions,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { checkBooks, factsOf } from '../../testing/tool-loops.ts';

// Workers of an earlier response and calls that a person approved run before the first turn of the model, and after the
// request was accepted.

let routing: RoutingHarness;
let server: StartedMcpServer;
let egress: Egress;
let answerOfTool: () => Promise<string>;
beforeAll(async () => {
  server = await startMcpServer([
    {
      name: 'search',
      inputSchema: { properties: { query: { type: 'string', default: 'printer' } } },
      run: async () => ({ text: await answerOfTool() }),
    },
  ]);
  egress = createEgress({
    allowList: parseAllowList(`127.0.0.1:${String(server.port)}`),
    isHttpAllowed: true,
  });
  routing = await routingHarness({
    limits: { drainMs: 20, keepAliveMs: 40, statusHeldMs: 100 },
    mcpClient: createMcpClient({ egress }),
  });
});
afterAll(async () => {
  await routing.stop();
  await egress.stop();
  server.stop();
});
beforeEach(() => {
  answerOfTool = async () => 'found';
  server.forget();
});

type Item = Readonly<Record<string, unknown>> & { readonly type: string };
interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly input: readonly object[];
  readonly tools: readonly object[];
  readonly max_output_tokens?: number;
}

const ask = (body: Body, options?: CallOptions) =>
  routing.call({ model: 'sim/chat', ...body }, options);

/** Returns the response in a whole reply, or that of the last event. */
function responseIn(text: string) {
  const last = text.startsWith('{') ? text : (text.split('data: ').at(-2) ?? '');
  const read = JSON.parse(last) as { readonly response?: object };
  return (read.response ?? read) as {
    readonly status: string;
    readonly error_type?: string;
    readonly output: readonly Item[];
    readonly usage: {
      readonly cost: number;
      readonly server_tool_use_details?: { readonly tool_calls_executed: number };
    };
  };
}

const look = { type: 'function', name: 'look', parameters: { type: 'object' } };
/** The worker answers at another endpoint than the model that hands over. */
const handed = (task: string) => {
  const args = JSON.stringify({ task_name: 'part', task_description: `agent: ${task}` });
  return { role: 'user', content: `agent: call service_subagent ${args}` };
};
const subagent = {
  type: 'service:subagent',
  parameters: { model: 'sim/echo', inherit_functions: true },
};

/** Returns a request whose worker goes on. */
async function withWorker(task: string): Promise<Body> {
  const tools = [subagent, look];
  const input = [handed(`call look {} then ${task}`)];
  const { output } = responseIn(await textOf(await ask({ input, tools })));
  const outputs = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'a tree' }));
  return { input: [...input, ...output, ...outputs], tools };
}

/** Returns a request with a call that a person approved. */
async function withApproval(): Promise<Body> {
  const tools = [{ type: 'mcp', server_label: 'tickets', server_url: server.url }];
  const input = [{ role: 'user', content: 'call tickets_search' }];
  const { output } = responseIn(await textOf(await ask({ input, tools })));
  const request = output.find(({ type }) => type === 'mcp_approval_request');
  const asked = { approval_request_id: request?.['id'], approve: true };
  const approval = { type: 'mcp_approval_response', ...asked };
  server.forget();
  return { input: [...input, ...output, approval], tools };
}

const models = ['sim/chat', 'sim/messages', 'sim/gemini'];
const cases = models.flatMap((model) => [false, true].map((stream) => ({ model, stream })));
const ids = (facts: ReadonlyMap<string, unknown>) => [...facts.keys()].toSorted();

/** Reads a stream until a text has come so often, and returns what follows at its end. */
async function readUntil({ body }: InferenceReply, word: string, count: number) {
  ok(typeof body !== 'string' && Symbol.asyncIterator in body);
  const reader = body[Symbol.asyncIterator]();
  let text = '';
  while (text.split(word).length <= count) {
    const { done, value } = await reader.next();
    ok(!done, text);
    text += Buffer.from(value).toString();
  }
  return async () => {
    for (let next = await reader.next(); !next.done; next = await reader.next())
      text += Buffer.from(next.value).toString();
    return text;
  };
}

const waits = ': SERVICE PROCESSING';

describe('the client of a stream hears while', () => {
  test('an approved call runs', async () => {
    const release = Promise.withResolvers<string>();
    answerOfTool = () => release.promise;
    const reply = await ask({ ...(await withApproval()), stream: true });
    equal(reply.status, 200);
    const rest = await readUntil(reply, waits, 2);
    release.resolve('found');
    const text = await rest();
    match(text, /"mcp_call".*SERVICE PROCESSING.*found/s);
    equal(responseIn(text).status, 'completed');
  });

  test('a worker goes on', async () => {
    const reply = await ask({ ...(await withWorker('(wait-300) and say done')), stream: true });
    equal(reply.status, 200);
    const text = await (await readUntil(reply, waits, 2))();
    match(text, /SERVICE PROCESSING.*"outcome":"done"/s);
    equal(responseIn(text).status, 'completed');
  });
});

describe('before the request is accepted', () => {
  const broke = { ...somebody, keyHash: 'broke', limitNanoUsd: 1n };

  test.each(cases)('no worker goes on: $model, streamed: $stream', async (how) => {
    const body = { ...(await withWorker('say done')), ...how };
    const receipts = (await routing.receipts()).length;
    const reply = await ask({ ...body, max_output_tokens: 100 }, { principal: broke });
    equal(reply.status, 402, await textOf(reply));
    equal((await routing.receipts()).length, receipts);
    ok(routing.ledger.facts.every(({ keyHash }) => keyHash !== broke.keyHash));
  });

  test.each(cases)('no approved call runs: $model, streamed: $stream', async (how) => {
    const body = { ...(await withApproval()), ...how };
    const reply = await ask({ ...body, max_output_tokens: 100 }, { principal: broke });
    equal(reply.status, 402, await textOf(reply));
    deepEqual(server.asked, []);
  });

  test('a guardrail of the request refuses it, and nothing runs', async () => {
    const custom = [{ pattern: 'password', action: 'block' }];
    const principal = { ...somebody, keyHash: assignFilters(routing.policies, { custom }) };
    const [worker, approval] = [await withWorker('say done'), await withApproval()];
    const receipts = (await routing.receipts()).length;
    for (const body of [worker, approval]) {
      const input = [...body.input, { role: 'user', content: 'my password' }];
      const reply = await ask({ ...body, input }, { principal });
      equal(reply.status, 403, await textOf(reply));
    }
    deepEqual(server.asked, []);
    equal((await routing.receipts()).length, receipts);
  });
});

describe('a response whose first turn fails after the work of its tools', () => {
  const broken = models.flatMap((model) =>
    [false, true].flatMap((stream) =>
      [400, 500].map((status) => ({ model: `${model}-sim-error-${String(status)}`, stream })),
    ),
  );

  test.each(broken)('tells the worker and its cost: $model, streamed: $stream', async (how) => {
    const reply = await ask({ ...(await withWorker('say done')), ...how });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    const { status, output } = responseIn(text);
    deepEqual([status, output[0]?.type, output[0]?.['outcome']], ['failed', subagent.type, 'done']);
    const facts = await factsOf(routing, reply, 2);
    deepEqual(ids(facts), ['/tool/1', '/tool/1/1/1/1']);
    await checkBooks(routing, facts, text);
  });

  test.each(broken)('tells the approved call: $model, streamed: $stream', async (how) => {
    const reply = await ask({ ...(await withApproval()), ...how });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    const { status, output, usage } = responseIn(text);
    deepEqual([status, output[0]?.type, output[0]?.['output']], ['failed', 'mcp_call', 'found']);
    equal(usage.server_tool_use_details?.tool_calls_executed, 1);
    deepEqual(ids(await factsOf(routing, reply, 1)), ['/tool/1']);
  });

  test.each([false, true])('because a guardrail blocks a result, streamed: %s', async (stream) => {
    const custom = [{ pattern: 'hideous', action: 'block' }];
    const principal = { ...somebody, keyHash: assignFilters(routing.policies, { custom }) };
    answerOfTool = async () => 'hideous';
    const before = (await routing.receipts()).length;
    const reply = await ask({ ...(await withApproval()), stream }, { principal });
    const { status, error_type: type, output } = responseIn(await textOf(reply));
    deepEqual([status, type], ['failed', 'permission_denied']);
    equal(output[0]?.type, 'mcp_call');
    deepEqual(server.asked, ['tools/call search']);
    // The request that asked for the approval had one.
    equal((await routing.receipts()).length, before + 1);
  });
});

test('an approved call is counted as one that ran', async () => {
  const reply = await ask(await withApproval());
  const { usage } = responseIn(await textOf(reply));
  equal(usage.server_tool_use_details?.tool_calls_executed, 1);
});

test('a client that leaves while a worker goes on pays for what was done', async () => {
  const leaving = new AbortController();
  const body = await withWorker('(wait-5000) and say done');
  const reply = await ask({ ...body, stream: true }, { signal: leaving.signal });
  const rest = await readUntil(reply, waits, 1);
  leaving.abort();
  await rest();
  const facts = await factsOf(routing, reply, 1);
  ok(
    ids(facts).every((id) => id.startsWith('/tool/1')),
    String(ids(facts)),
  );
});
