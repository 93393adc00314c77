import { deepEqual, equal } from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import { routingHarness, textOf, type RoutingHarness } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume().once('end', () => answer(response));
});

const catalogFile = () => {
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  const dialects = {
    anthropic: 'anthropic-messages',
    mistral: 'openai-chat',
    google: 'google-gemini',
  };
  const providers = Object.entries(dialects).map(([slug, dialect]) => ({
    slug,
    name: slug,
    dialect,
    base_url: url,
  }));
  const models = Object.keys(dialects).map((provider) => ({
    id: `w/${provider}`,
    context_length: 8_000,
    max_output_tokens: 1_000,
    provider,
    upstream_model: 'm',
    pricing,
  }));
  return JSON.stringify({ providers, models });
};

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  routing = await routingHarness({ catalogFile });
});
afterAll(async () => {
  await routing.stop();
  server.closeAllConnections();
  server.close();
});

const json = { 'content-type': 'application/json' };
const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '33.2s' }];
const exhausted = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'no', details } };

describe('the wait that a provider asks for', () => {
  test.each(doors.flatMap((door) => [true, false].map((stream) => ({ door, stream }))))(
    'is the Retry-After of $door.dialect, stream $stream',
    async ({ door: { dialect, asks }, stream }) => {
      const ask = async (model: string) => {
        const reply = await routing.call({ model, ...asks('hi'), stream }, { dialect });
        return [reply.status, reply.headers['retry-after']];
      };
      answer = (response) => response.writeHead(429, json).end(JSON.stringify(exhausted));
      deepEqual(await ask('w/google'), [429, '34']);
      deepEqual(await ask('w/mistral'), [429, '34']);
      answer = (response) => response.writeHead(429, json).end(JSON.stringify([exhausted]));
      deepEqual(await ask('w/google'), [429, '34']);
      answer = (response) =>
        response.writeHead(429, { ...json, 'retry-after-ms': '1200' }).end('{"error":{}}');
      for (const model of ['w/google', 'w/mistral', 'w/anthropic'])
        deepEqual(await ask(model), [429, '2']);
      if (!stream) return;
      // A failure at the beginning of a stream has no header.
      answer = (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data: ${JSON.stringify(exhausted)}\n\n`);
      deepEqual(await ask('w/google'), [429, '34']);
    },
  );
});

describe('the limits of an account at Anthropic', () => {
  const limits = {
    'anthropic-ratelimit-unified-status': 'allowed_warning',
    'anthropic-ratelimit-unified-reset': '1790000000',
    'anthropic-ratelimit-unified-5h-utilization': '0.81',
  };
  const others = { 'anthropic-ratelimit-requests-limit': '50', 'x-secret': 'operator' };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const limited = { type: 'error', error: { type: 'rate_limit_error', message: 'no' } };
  const answered = (response: ServerResponse) =>
    void response.writeHead(200, { ...json, ...limits, ...others }).end(JSON.stringify(message));
  const refused = (response: ServerResponse) =>
    void response.writeHead(429, { ...json, ...limits, ...others }).end(JSON.stringify(limited));
  const told = async (dialect: 'messages' | 'responses', stream: boolean) => {
    const [door] = doors.filter((one) => one.dialect === dialect);
    const reply = await routing.call(
      { model: 'w/anthropic', ...door?.asks('hi'), stream },
      { dialect },
    );
    await textOf(reply);
    equal(reply.headers['x-secret'], undefined);
    return Object.fromEntries(
      Object.entries(reply.headers).filter(([name]) => name.startsWith('anthropic-ratelimit')),
    );
  };

  test.each([true, false])(
    'stay with the operator, except in a refusal, stream %s',
    async (stream) => {
      routing.credentials.kept.clear();
      answer = answered;
      deepEqual(await told('messages', stream), {});
      answer = refused;
      deepEqual(await told('messages', stream), limits);
      deepEqual(await told('responses', stream), {});
    },
  );

  test.each([true, false])('reach the account of an own credential, stream %s', async (stream) => {
    const own = await routingHarness({ catalogFile });
    own.credentials.kept.set('c1', { provider: 'anthropic', secret: 'sk-own' });
    answer = answered;
    const [door] = doors.filter(({ dialect }) => dialect === 'messages');
    const reply = await own.call(
      { model: 'w/anthropic', ...door?.asks('hi'), stream },
      { dialect: 'messages' },
    );
    await textOf(reply);
    equal(reply.status, 200);
    for (const [name, value] of Object.entries(limits)) equal(reply.headers[name], value);
    equal(reply.headers['anthropic-ratelimit-requests-limit'], undefined);
    await own.stop();
  });
});
