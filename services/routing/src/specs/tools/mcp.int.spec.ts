import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createEgress, type Egress, parseAllowList } from '@sluice/egress';
import { createMcpClient } from '@sluice/mcp-client';
import { startMcpServer, type StartedMcpServer } from '@sluice/mcp-client/testing';
import { afterAll, beforeAll, beforeEach, describe, onTestFinished, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';

// The client names a server, Sluice lists its tools, the model calls one, and Sluice runs it at the server.

let routing: RoutingHarness;
let server: StartedMcpServer;
let egress: Egress;
beforeAll(async () => {
  server = await startMcpServer([
    {
      name: 'search',
      description: 'Finds tickets.',
      inputSchema: { properties: { query: { type: 'string', default: 'printer' } } },
      isReadOnly: true,
    },
    { name: 'close', run: () => ({ text: 'no such ticket', isError: true }) },
  ]);
  egress = createEgress({
    allowList: parseAllowList(`127.0.0.1:${String(server.port)}`),
    isHttpAllowed: true,
  });
  routing = await routingHarness({ mcpClient: createMcpClient({ egress }) });
});
afterAll(async () => {
  await routing.stop();
  await egress.stop();
  server.stop();
});
beforeEach(() => {
  server.forget();
});

type Item = Readonly<Record<string, unknown>> & { readonly type: string };

const secret = 'token-123456';
const serverTool = (more: object = {}) => ({
  type: 'mcp',
  server_label: 'tickets',
  server_url: server.url,
  authorization: secret,
  headers: { 'x-team': 'team-123456' },
  require_approval: 'never',
  ...more,
});
const asked = (name: string) => ({ role: 'user', content: `call tickets_${name}` });

async function ask(body: {
  readonly model?: string;
  readonly stream?: boolean;
  readonly input: readonly object[];
  readonly tools: readonly object[];
}) {
  const reply = await routing.call({ model: 'sim/chat', ...body });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  ok(!text.includes(secret) && !text.includes('team-123456'), 'no secret is told');
  const last = body.stream
    ? /"type":"response.completed","response":(.*),"sequence_number/.exec(text)
    : undefined;
  const whole = JSON.parse(body.stream ? (last?.[1] ?? '{}') : text) as {
    readonly output?: readonly Item[];
  };
  return { text, output: whole.output ?? [] };
}

const toolsOf = (list: Item | undefined) =>
  ((list?.['tools'] ?? []) as readonly Item[]).map(({ name }) => name);
const typesOf = (output: readonly Item[]) => output.map(({ type }) => type);

describe('a server that an endpoint does not call itself', () => {
  const cases = ['sim/chat', 'sim/messages', 'sim/gemini'].flatMap((model) =>
    [false, true].map((stream) => ({ model, stream })),
  );

  test.each(cases)('$model, streamed: $stream', async (how) => {
    const { output } = await ask({ ...how, input: [asked('search')], tools: [serverTool()] });
    const shown = output.filter(({ type }) => type !== 'reasoning');
    deepEqual(typesOf(shown), ['mcp_list_tools', 'mcp_call', 'message']);
    const [list, call] = shown;
    deepEqual(toolsOf(list), ['close', 'search']);
    equal(call?.['server_label'], 'tickets');
    equal(call['name'], 'search');
    equal(call['status'], 'completed');
    equal(call['output'], call['arguments']);
    deepEqual(server.asked, ['tools/list', 'tools/call search']);
    equal(server.headers().authorization, `Bearer ${secret}`);
  });

  test('is not called for a request that its account cannot pay', async () => {
    const poor = await routingHarness({
      mcpClient: createMcpClient({ egress }),
      creditsNanoUsd: 5_000_000n,
    });
    onTestFinished(() => poor.stop());
    const body = { model: 'sim/chat', input: [asked('search')], tools: [serverTool()] };
    const refused = await poor.call({ ...body, max_output_tokens: 4_000 });
    deepEqual([refused.status, server.asked], [402, []]);
    const served = await poor.call({ ...body, max_output_tokens: 100 });
    match(await textOf(served), /"type":"mcp_list_tools"/);
    ok(server.asked.includes('tools/list'));
    match(await poor.metrics(), /^spend_open(\{.*\})? 0$/m);
  });

  test('is not listed again when the client sends the list', async () => {
    const tools = [serverTool()];
    const { output } = await ask({ input: [asked('search')], tools });
    server.forget();
    const again = await ask({ input: [asked('search'), ...output, asked('search')], tools });
    deepEqual(typesOf(again.output), ['mcp_call', 'message']);
    deepEqual(server.asked, ['tools/call search']);
  });

  test('shows the model only the tools that are allowed', async () => {
    const names = async (allowed: unknown) => {
      const tools = [serverTool({ allowed_tools: allowed })];
      const { output } = await ask({ input: [{ role: 'user', content: 'hello' }], tools });
      return toolsOf(output[0]);
    };
    deepEqual(await names(['close']), ['close']);
    deepEqual(await names({ tool_names: ['close', 'search'] }), ['close', 'search']);
    deepEqual(await names({ read_only: true }), ['search']);
  });

  test('gives the model the error of a tool', async () => {
    const { output } = await ask({ input: [asked('close')], tools: [serverTool()] });
    const call = output.find(({ type }) => type === 'mcp_call');
    equal(call?.['status'], 'failed');
    deepEqual(call['error'], {
      type: 'mcp_tool_execution_error',
      content: [{ type: 'text', text: 'no such ticket' }],
    });
  });

  test('that cannot be reached has no tools, and the request goes on', async () => {
    const tools = [serverTool({ server_url: 'http://127.0.0.1:1/mcp' })];
    const { output } = await ask({ input: [{ role: 'user', content: 'hello' }], tools });
    deepEqual(typesOf(output), ['mcp_list_tools', 'message']);
    match(String(output[0]?.['error']), /not allowed/);
  });

  test('is left to an endpoint that calls servers itself', async () => {
    await ask({
      model: 'sim/echo',
      input: [{ role: 'user', content: 'hello' }],
      tools: [serverTool()],
    });
    deepEqual(server.asked, []);
  });

  test('a connector is refused as before', async () => {
    const tools = [{ type: 'mcp', server_label: 'mail', connector_id: 'connector_gmail' }];
    const reply = await routing.call({ model: 'sim/chat', input: [asked('search')], tools });
    equal(reply.status, 404, await textOf(reply));
  });
});

describe('a call that a person approves', () => {
  const tools = () => [serverTool({ require_approval: { never: { tool_names: ['close'] } } })];

  async function untilAsked() {
    const input = [asked('search')];
    const { output } = await ask({ input, tools: tools() });
    deepEqual(typesOf(output), ['mcp_list_tools', 'mcp_approval_request']);
    deepEqual(server.asked, ['tools/list']);
    server.forget();
    return { input: [...input, ...output], id: String(output[1]?.['id']) };
  }

  test.each([false, true])('runs after the approval, once, streamed: %s', async (stream) => {
    const { input, id } = await untilAsked();
    const approval = { type: 'mcp_approval_response', approval_request_id: id, approve: true };
    const answered = [...input, approval];
    const { output } = await ask({ stream, input: answered, tools: tools() });
    equal(output[0]?.type, 'mcp_call');
    equal(output[0]['approval_request_id'], id);
    equal(output[0]['output'], output[0]['arguments']);
    deepEqual(server.asked, ['tools/call search']);
    server.forget();
    const later = [...answered, ...output, { role: 'user', content: 'thanks' }];
    await ask({ input: later, tools: tools() });
    deepEqual(server.asked, []);
  });

  test('does not run after a refusal, of which the model reads the reason', async () => {
    const { input, id } = await untilAsked();
    const refusal = {
      type: 'mcp_approval_response',
      approval_request_id: id,
      approve: false,
      reason: 'too late',
    };
    const { output } = await ask({ input: [...input, refusal], tools: tools() });
    deepEqual(typesOf(output), ['message']);
    deepEqual(server.asked, []);
  });

  test('is asked for by default, and not for the tools that are named', async () => {
    const { output } = await ask({ input: [asked('close')], tools: tools() });
    ok(output.some(({ type }) => type === 'mcp_call'));
    const plain = await ask({
      input: [asked('close')],
      tools: [serverTool({ require_approval: undefined })],
    });
    deepEqual(typesOf(plain.output), ['mcp_list_tools', 'mcp_approval_request']);
  });
});
