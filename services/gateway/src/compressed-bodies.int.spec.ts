import { deepEqual, equal, match } from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import {
  brotliCompressSync,
  constants,
  deflateSync,
  gzipSync,
  zstdCompressSync,
  type ZstdOptions,
} from 'node:zlib';
import { afterEach, describe, test } from 'vitest';
import { jsonReply } from './testing/gateway-world.ts';
import { listeningGateway, type ListeningOptions } from './testing/listening-gateway.ts';
import { rawConnection, type RawConnection } from './testing/raw-connection.ts';

const open: { stop(): Promise<void> }[] = [];
const connections: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy();
  for (const service of open.splice(0)) await service.stop();
});

const compress: Readonly<Record<string, (text: string) => Buffer>> = {
  br: (text) => brotliCompressSync(text),
  deflate: (text) => deflateSync(text),
  gzip: (text) => gzipSync(text),
  zstd: (text) => zstdCompressSync(text),
};
const codings = Object.keys(compress);
const packed = (coding: string, text: string) => compress[coding]?.(text) ?? Buffer.from(text);

async function gateway(settings: ListeningOptions['settings'] = {}) {
  const bodies: string[] = [];
  const made = await listeningGateway({
    createResponse: async ({ body }) => {
      bodies.push(Buffer.from(body).toString());
      return jsonReply(200, { id: 'resp_1' });
    },
    settings: { drainTimeoutMs: 200, ...settings },
  });
  open.push(made.service);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  open.push({ stop: async () => agent.destroy() });
  /** One connection: a reply that leaves bytes of its request behind breaks the next one. */
  const send = (coding: string, body: Buffer, { isChunked = false } = {}) =>
    new Promise<{ status: number; text: string; accepted: string | undefined }>(
      (resolve, reject) => {
        const sent = httpRequest(
          {
            agent,
            port: made.port,
            method: 'POST',
            path: '/v1/responses',
            headers: {
              authorization: `Bearer ${made.secret}`,
              'content-type': 'application/json',
              'content-encoding': coding,
              ...(isChunked ? {} : { 'content-length': body.length }),
            },
          },
          (reply) => {
            let text = '';
            reply.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            const accepted = reply.headers['accept-encoding'];
            reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text, accepted }));
          },
        );
        sent.on('error', reject);
        sent.end(body);
      },
    );
  return { ...made, send, bodies };
}

const messageOf = ({ text }: { text: string }) =>
  (JSON.parse(text) as { error: { message: string } }).error.message;

describe('a compressed body', () => {
  const text = JSON.stringify({ input: 'wörds '.repeat(20_000) });

  test.each(codings)('(%s) reaches routing as it was before, chunked or not', async (coding) => {
    const { send, bodies } = await gateway();
    equal((await send(coding, packed(coding, text))).status, 200);
    equal(
      (await send(coding.toUpperCase(), packed(coding, text), { isChunked: true })).status,
      200,
    );
    equal((await send(coding, packed(coding, ''))).status, 200);
    deepEqual(bodies, [text, text, '']);
  });

  test.each(codings)(
    '(%s) that is cut, or is none, is a 400; the connection lives',
    async (coding) => {
      const { send, bodies } = await gateway();
      const whole = packed(coding, text);
      for (const body of [whole.subarray(0, whole.length - 5), Buffer.from('{"input":"plain"}')]) {
        const reply = await send(coding, body);
        equal(reply.status, 400);
        equal(messageOf(reply), `The request body is not valid ${coding}`);
      }
      equal((await send('identity', Buffer.from(text))).status, 200);
      deepEqual(bodies, [text]);
    },
  );

  test.each(codings)('(%s) that grows over the limit is a 413', async (coding) => {
    const { send, bodies } = await gateway({ inferenceBodyBytesMax: 100_000 });
    const fits = 'x'.repeat(100_000);
    equal((await send(coding, packed(coding, fits))).status, 200);
    equal((await send(coding, packed(coding, `${fits}x`))).status, 413);
    equal((await send(coding, packed(coding, 'x'.repeat(50_000_000)))).status, 413);
    equal((await send(coding, packed(coding, fits), { isChunked: true })).status, 200);
    deepEqual(bodies, [fits, fits]);
  });

  test('counts, as it is decoded, to what all bodies may hold', async () => {
    const settings = { inferenceBodyBytesMax: 200_000, bodiesBytesMax: 100_000 };
    const { send } = await gateway(settings);
    const reply = await send('gzip', packed('gzip', 'x'.repeat(150_000)));
    equal(reply.status, 503);
    equal((await send('gzip', packed('gzip', 'x'.repeat(90_000)))).status, 200);
    equal((await send('gzip', packed('gzip', 'x'.repeat(90_000)))).status, 200);
  });

  test('of zstd that asks for a window of more than 8 MiB is a 400', async () => {
    const options: ZstdOptions = { params: { [constants.ZSTD_c_windowLog]: 24 } };
    const { send } = await gateway();
    const large = 'x'.repeat(20_000_000);
    equal((await send('zstd', zstdCompressSync(large, options))).status, 400);
  });

  test.each(['compress', 'gzip, gzip', 'snappy'])(
    'in the coding "%s" is a 415 that names the known ones',
    async (coding) => {
      const { send } = await gateway();
      const reply = await send(coding, Buffer.from('{}'));
      equal(reply.status, 415);
      equal(reply.accepted, 'br, deflate, gzip, zstd');
      match(messageOf(reply), /br, deflate, gzip, zstd, identity/);
    },
  );

  test('whose client leaves in the middle holds nothing', async () => {
    const { port, secret, send } = await gateway({ bodiesBytesMax: 100_000 });
    const body = packed('gzip', 'x'.repeat(90_000));
    const client = await rawConnection(port);
    client.send(
      [
        'POST /v1/responses HTTP/1.1',
        'host: gateway',
        `authorization: Bearer ${secret}`,
        'content-type: application/json',
        'content-encoding: gzip',
        `content-length: ${body.length}`,
        '',
        '',
      ].join('\r\n'),
    );
    client.socket.write(body.subarray(0, body.length - 10));
    client.socket.destroy();
    for (let sent = 0; sent < 3; sent += 1) equal((await send('gzip', body)).status, 200);
  });
});

describe('a client that asks for a WebSocket', () => {
  const upgrade = (path: string, key: readonly string[]) =>
    [
      `GET ${path} HTTP/1.1`,
      'host: gateway',
      ...key,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n');

  test('reads 426 at every door, and so falls back to HTTP', async () => {
    const { port, secret } = await gateway();
    for (const path of ['/v1/responses', '/v1/responses?model=a', '/v1/v1/responses'])
      for (const key of [[], [`authorization: Bearer ${secret}`]]) {
        const client = await rawConnection(port);
        connections.push(client);
        client.send(upgrade(path, key));
        match(await client.until('}}'), /^HTTP\/1\.1 426 [^]*\r\nupgrade: HTTP\/1\.1\r\n/i);
      }
  });

  test('where there are none reads 404', async () => {
    const { port } = await gateway();
    const client = await rawConnection(port);
    connections.push(client);
    client.send(upgrade('/v1/nothing', []));
    match(await client.until('}}'), /^HTTP\/1\.1 40[14] /);
  });
});
