import { deepEqual } from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { listeningGateway } from '../testing/listening-gateway.ts';
import { httpInferencePort } from './http-port.ts';

/** Ends the next request as the test wants it. */
let act: (response: ServerResponse) => void = () => {};
const routing = createServer((request, response) => {
  request.resume().on('end', () => act(response));
});
/** The gateways by what stands behind them. */
const gateways: { there?: Gateway; away?: Gateway } = {};

interface Gateway {
  ask(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  stop(): Promise<void>;
}

async function gatewayBefore(url: string): Promise<Gateway> {
  const inference = httpInferencePort({ url, token: 'a-token' });
  const { service, port, secret } = await listeningGateway({
    createResponse: (asked) => inference.createResponse(asked),
  });
  return {
    async ask(path) {
      const reply = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return { status: reply.status, body: await reply.json() };
    },
    async stop() {
      await service.stop();
      await inference.stop();
    },
  };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => routing.listen(0, '127.0.0.1', resolve));
  const { port } = routing.address() as AddressInfo;
  gateways.there = await gatewayBefore(`http://127.0.0.1:${port}`);
  gateways.away = await gatewayBefore('http://127.0.0.1:1');
});
afterAll(async () => {
  await gateways.there?.stop();
  await gateways.away?.stop();
  routing.close();
});

const message = 'Service temporarily unavailable';
const errorType = { error_type: 'provider_overloaded' };
const usual = { error: { code: 503, message, metadata: errorType } };
const ofAnthropic = {
  type: 'error',
  error: { type: 'overloaded_error', message, ...errorType },
  request_id: null,
};
const events = { 'content-type': 'text/event-stream' };

describe.each([
  ['responses', usual],
  ['chat/completions', usual],
  ['embeddings', usual],
  ['messages', ofAnthropic],
  ['messages/count_tokens', ofAnthropic],
])('a client of /%s is told 503', (path, body) => {
  test('while routing is away', async () => {
    deepEqual(await gateways.away?.ask(path), { status: 503, body });
  });

  test.each<[string, typeof act]>([
    ['without an answer', ({ socket }) => void socket?.destroy()],
    [
      'in the middle of a small answer',
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{', () => response.destroy());
      },
    ],
    [
      'before the first piece of a stream',
      (response) => {
        response.writeHead(200, events).flushHeaders();
        setImmediate(() => response.destroy());
      },
    ],
    [
      'before the first piece of a large answer',
      (response) => {
        response.writeHead(200, { 'content-length': 2 * 1024 * 1024 }).flushHeaders();
        setImmediate(() => response.destroy());
      },
    ],
  ])('when routing dies %s', async (_when, dies) => {
    act = dies;
    deepEqual(await gateways.there?.ask(path), { status: 503, body });
  });
});
