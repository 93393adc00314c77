import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { StreamPart } from '@sluice/inference';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { createUpstream, type Upstream } from '../upstream.ts';

const text = 'HTTP/1.1 100 Continue\\r\\n\\r\\nis only a text here';
const whole = `{"id":"x","choices":[{"message":{"content":"${text}"},"finish_reason":"stop"}]}`;
const stream = `data: {"id":"x","choices":[{"delta":{"content":"${text}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const body = (isStream: boolean) => (isStream ? stream : whole);

const proceed = 'HTTP/1.1 100 Continue\r\n\r\n';
const withFields = 'HTTP/1.1 100 Continue\r\ndate: today\r\nx: y\r\n\r\n';
const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
const interim: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['100', proceed],
  ['100 with fields', withFields],
  ['100 twice', proceed + proceed],
  ['102', processing],
  ['103', hints],
  ['100, 102, 103', withFields + processing + hints],
];

let server: Server;
let upstream: Upstream;
/** The answer to each request, and the size of its chunks in bytes. */
let reply: { before: string; isStream: boolean; pieceBytes: number };
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let asked = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      const head = asked.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(asked)?.[1] ?? 0);
      if (head === -1 || asked.length < head + 4 + length) return;
      asked = '';
      void answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstream = createUpstream({ connectionsMax: 1 });
});

afterEach(async () => {
  await upstream.stop();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
});

async function answer(socket: Socket): Promise<void> {
  const { before, isStream, pieceBytes } = reply;
  const content = body(isStream);
  const type = isStream ? 'text/event-stream' : 'application/json';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n`;
  const bytes = Buffer.from(before + head + content);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    socket.write(bytes.subarray(at, at + pieceBytes));
    await setImmediate();
  }
}

async function call(isStream: boolean): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const endpoint = {
    provider: 'p',
    dialect: 'openai-chat' as const,
    baseUrl: `http://127.0.0.1:${String(port)}/v1/`,
    apiKey: undefined,
    upstreamModel: 'm',
  };
  const parts: StreamPart[] = [];
  const batches = upstream.call(
    endpoint,
    {
      items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }],
      tools: [],
      toolChoice: { type: 'auto' },
      parallelToolCalls: undefined,
      maxOutputTokens: undefined,
      temperature: undefined,
      topP: undefined,
      stream: isStream,
    },
    {
      signal: new AbortController().signal,
      requestId: 'req-1',
      headersTimeoutMs: 60_000,
      firstOutputTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
    },
  );
  for await (const batch of batches) parts.push(...batch);
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
}

describe.each([
  ['in one piece', 100_000],
  ['byte by byte', 1],
  ['in sevens', 7],
])('an answer that arrives %s', (_how, pieceBytes) => {
  test.each(interim)('is read after %s, again on the same connection', async (_what, before) => {
    const expected = JSON.parse(`"${text}"`) as string;
    for (const isStream of [false, true, true, false]) {
      reply = { before, isStream, pieceBytes };
      deepEqual(await call(isStream), expected);
    }
    deepEqual(sockets.size, 1);
  });
});

test('a 100 with an endless head fails at once instead of waiting', async () => {
  reply = { before: `HTTP/1.1 100 ${'x'.repeat(20_000)}`, isStream: false, pieceBytes: 100_000 };
  const outcome = await call(false).then(
    () => 'answered',
    () => 'failed',
  );
  deepEqual(outcome, 'failed');
});
