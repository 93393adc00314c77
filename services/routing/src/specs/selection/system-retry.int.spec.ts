import { deepEqual, equal } from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { type Door, doors, responses } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
}

let routing: RoutingHarness;
let bodies: Body[] = [];
/** The refusal of a body; undefined: it is answered. */
let refusal: (body: Body) => { readonly status: number; readonly message: string } | undefined;

const choice = { index: 0, finish_reason: 'stop' };
const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };

function answer(response: ServerResponse, body: Body): void {
  const refused = refusal(body);
  const json = { 'content-type': 'application/json' };
  if (refused) {
    const { status, message } = refused;
    response.writeHead(status, json).end(JSON.stringify({ error: { code: status, message } }));
  } else if (body.stream) {
    const chunk = { id: 'x', choices: [{ ...choice, delta: { content: 'hi' } }], usage };
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  } else {
    const whole = { id: 'x', choices: [{ ...choice, message: { content: 'hi' } }], usage };
    response.writeHead(200, json).end(JSON.stringify(whole));
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    bodies.push(body);
    answer(response, body);
  });
});

const names = doors.flatMap(({ dialect }) => [`${dialect}-true`, `${dialect}-false`]);
const catalogFile = () => {
  const base_url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  const dialect = 'openai-chat';
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  const row = (id: string, provider: string, upstream_model = id) => ({
    id: `s/${id}`,
    context_length: 8_000,
    max_output_tokens: 1_000,
    provider,
    upstream_model,
    pricing,
  });
  return JSON.stringify({
    providers: [
      { slug: 'strict', name: 'Strict', dialect, base_url },
      { slug: 'told', name: 'Told', dialect, base_url, chat: { one_system_message: true } },
      { slug: 'thinks', name: 'Thinks', dialect, base_url, chat: { thoughts_field: 'reasoning' } },
    ],
    models: [
      ...names.map((name) => row(name, 'strict')),
      row('second', 'strict'),
      row('other', 'strict'),
      row('told', 'told'),
      row('thinks', 'thinks'),
    ],
  });
};

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  routing = await routingHarness({ catalogFile });
});
beforeEach(() => {
  bodies = [];
  refusal = () => undefined;
});
afterAll(async () => {
  await routing.stop();
  server.closeAllConnections();
  server.close();
});

const before = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello' },
  { role: 'system', content: 'Be kind.' },
] as const;
const hasLate = ({ messages }: Body) => messages.slice(1).some(({ role }) => role === 'system');
const strict = (body: Body) =>
  hasLate(body)
    ? { status: 500, message: 'Jinja Exception: System message must be at the beginning.' }
    : undefined;
const merged = [
  ['system', 'Be brief.\n\nBe kind.'],
  ['user', 'Hello'],
  ['user', 'Go on'],
];
const sent = () =>
  bodies.map(({ messages }) => messages.map(({ role, content }) => [role, content]));

async function ask(model: string, { dialect, asks }: Door, stream: boolean) {
  const reply = await routing.call(
    { model: `s/${model}`, ...asks('Go on', before), stream },
    { dialect },
  );
  return { status: reply.status, text: await textOf(reply), headers: reply.headers };
}

describe('a server that takes one system message', () => {
  const cases = doors
    .filter(({ dialect }) => dialect !== 'messages')
    .flatMap((door) => [true, false].map((stream) => ({ door, stream })));

  test.each(cases)(
    'gets it from the second call on: $door.dialect, stream $stream',
    async ({ door, stream }) => {
      refusal = strict;
      const model = `${door.dialect}-${String(stream)}`;
      const { status, headers } = await ask(model, door, stream);
      equal(status, 200);
      deepEqual([sent().length, sent()[1]], [2, merged]);
      const id = headers['x-generation-id'];
      const fact = await eventually(
        () => routing.ledger.facts.find(({ generationId }) => generationId === id),
        'the usage fact',
      );
      deepEqual([fact.outcome, fact.attempts.length], ['completed', 1]);
      // It is remembered.
      equal((await ask(model, door, stream)).status, 200);
      deepEqual([sent().length, sent()[2]], [3, merged]);
    },
  );

  test('is asked a second time, and no third', async () => {
    const message = 'only one system message is supported';
    refusal = () => ({ status: 400, message });
    const { status, text } = await ask('second', responses, false);
    equal(status, 400);
    equal(text.includes(message), true);
    equal(bodies.length, 2);
  });

  test('is not asked again for another refusal', async () => {
    refusal = () => ({ status: 400, message: 'temperature: too high' });
    equal((await ask('other', responses, false)).status, 400);
    equal(bodies.length, 1);
  });

  test('gets it at once if the catalog says so', async () => {
    refusal = strict;
    equal((await ask('told', responses, true)).status, 200);
    deepEqual(sent(), [merged]);
  });
});

describe('a server that takes its thoughts back', () => {
  test('gets them in the field that the catalog names', async () => {
    const thought = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'hm' }],
    };
    const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'x' };
    const input = [{ role: 'user', content: 'hi' }, thought, call, output];
    const reply = await routing.call({ model: 's/thinks', input });
    equal(reply.status, 200, await textOf(reply));
    const [, assistant] = bodies[0]?.messages ?? [];
    deepEqual([assistant?.['reasoning'], assistant?.['role']], ['hm', 'assistant']);
    await textOf(await routing.call({ model: 's/other', input }));
    equal(JSON.stringify(bodies[1]).includes('hm'), false);
  });
});
