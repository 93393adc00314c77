import { deepEqual, equal, rejects } from 'node:assert/strict';
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
  ask(path: string): Promise<Response>;
  stop(): Promise<void>;
}

async function gatewayBefore(url: string): Promise<Gateway> {
  const inference = httpInferencePort({ url, token: 'a-token' });
  const { service, port, secret } = await listeningGateway({
    createResponse: (asked) => inference.createResponse(asked),
  });
  return {
    ask: (path) =>
      fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{}',
      }),
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

async function answered(gateway: Gateway | undefined, path: string) {
  const reply = await gateway?.ask(path);
  return { status: reply?.status, body: await reply?.json() };
}

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
  ['rerank', usual],
  ['messages', ofAnthropic],
  ['messages/count_tokens', ofAnthropic],
])('a client of /%s gets 503', (path, body) => {
  test('while routing is away', async () => {
    deepEqual(await answered(gateways.away, path), { status: 503, body });
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
    deepEqual(await answered(gateways.there, path), { status: 503, body });
  });
});

describe('when routing dies in the middle of a stream', () => {
  const head = { ...events, 'x-generation-id': 'gen-1' };
  /** Writes pieces, and dies when the client has them. */
  const streaming = (path: string, ...pieces: readonly string[]) => {
    act = (response) => {
      response.writeHead(200, head);
      for (const piece of pieces) response.write(piece);
      setImmediate(() => response.destroy());
    };
    return gateways.there?.ask(path).then((reply) => reply.text());
  };
  const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const delta = `event: response.output_text.delta\n${data({ delta: 'a', sequence_number: 7 })}`;
  const done = 'data: [DONE]\n\n';
  const comment = ': SERVICE PROCESSING\n\n';

  test.each([
    [
      'responses',
      `event: error\n${data({ type: 'error', code: 'server_error', message, param: null, sequence_number: 8 })}${done}`,
    ],
    [
      'chat/completions',
      data({
        id: 'gen-1',
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: {}, finish_reason: 'error', native_finish_reason: null }],
      }) +
        data({ error: usual.error }) +
        done,
    ],
    ['messages', `event: error\n${data({ ...ofAnthropic, request_id: 'gen-1' })}`],
  ])('a client of /%s reads an error at the end', async (path, end) => {
    equal(await streaming(path, delta), delta + end);
    equal(await streaming(path, delta, comment), delta + comment + end);
    equal(await streaming(path, comment + delta), comment + delta + end);
  });

  test('nothing is added to an answer that has its end', async () => {
    equal(await streaming('responses', delta, done), delta + done);
    const stop = `event: message_stop\n${data({ type: 'message_stop' })}`;
    equal(await streaming('messages', stop), stop);
  });

  test('in the middle of an event, the connection is cut: the half would be read as a whole', async () => {
    await rejects(async () => streaming('responses', delta, 'event: response.out'));
  });
});
