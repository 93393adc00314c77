import { deepEqual, equal, match } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { InferenceCall } from '@sluice/inference-port';
import { eventually } from '@sluice/patience';
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

async function gateway(createResponse: ListeningOptions['createResponse']) {
  const made = await listeningGateway({ createResponse, settings: { drainTimeoutMs: 200 } });
  open.push(made.service);
  const send = async (text: string) => {
    const connection = await rawConnection(made.port);
    connections.push(connection);
    connection.send(text);
    return connection;
  };
  return { ...made, send };
}

const answered = async () => jsonReply(200, { id: 'resp_1' });

/** The status and the message of the only answer on a connection. */
async function replyTo(client: RawConnection): Promise<readonly [number, string]> {
  const text = await client.until('}}');
  const { error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as {
    error: { code: number; message: string };
  };
  match(text, new RegExp(`^HTTP/1\\.1 ${error.code} `));
  return [error.code, error.message];
}

const request = (lines: readonly string[], body: string) =>
  ['POST /v1/responses HTTP/1.1', ...lines, '', body].join('\r\n');
const chunks = '2\r\n{}\r\n0\r\n\r\n';

describe('a Transfer-Encoding other than chunked', () => {
  const message = 'Only the Transfer-Encoding chunked is supported';
  test.each([
    ['gzip'],
    ['gzip, chunked'],
    ['identity'],
    ['xchunked'],
    ['chunked;q=1'],
    ['deflate\r\ntransfer-encoding: chunked'],
  ])('(%s) is answered with 501, with a key and without', async (coding) => {
    const { send, secret } = await gateway(answered);
    for (const key of [[], [`authorization: Bearer ${secret}`]]) {
      const lines = ['host: a', ...key, `transfer-encoding: ${coding}`];
      deepEqual(await replyTo(await send(request(lines, chunks))), [501, message]);
    }
  });

  test.each([['chunked, gzip'], ['chunked, chunked'], ['']])(
    'that is malformed (%j) is answered with 400',
    async (coding) => {
      const { send } = await gateway(answered);
      const lines = ['host: a', `transfer-encoding: ${coding}`];
      deepEqual(await replyTo(await send(request(lines, chunks))), [
        400,
        'The request is not valid HTTP',
      ]);
    },
  );

  test('is not what chunked is in other letters', async () => {
    const { send, secret } = await gateway(answered);
    const lines = [
      'host: a',
      `authorization: Bearer ${secret}`,
      'content-type: application/json',
      'transfer-encoding: Chunked',
    ];
    await (await send(request(lines, chunks))).until('resp_1');
  });
});

describe('a header that may stand once only', () => {
  test.each([
    ['two hosts', ['host: a', 'host: b']],
    ['the same host twice', ['host: a', 'Host: a']],
  ])('(%s) is answered with 400', async (_what, hosts) => {
    const { send, secret } = await gateway(answered);
    const lines = [...hosts, `authorization: Bearer ${secret}`, 'content-length: 2'];
    deepEqual(await replyTo(await send(request(lines, '{}'))), [
      400,
      'The Host header must stand exactly once',
    ]);
  });

  test('(two keys) is answered with 401, whatever they are', async () => {
    const { send, secret } = await gateway(answered);
    const good = `Bearer ${secret}`;
    for (const [first, second] of [
      [good, 'Bearer sk-other'],
      ['Bearer sk-other', good],
      [good, good],
    ]) {
      const lines = ['host: a', `authorization: ${first}`, `Authorization: ${second}`];
      deepEqual(await replyTo(await send(request([...lines, 'content-length: 2'], '{}'))), [
        401,
        'The Authorization header must stand only once',
      ]);
    }
  });
});

describe('bytes behind a whole request that waits for its answer', () => {
  test.each([
    ['that are no HTTP', [], 'hello\r\n\r\n'],
    ['after connection: close', ['connection: close'], request(['host: a'], '')],
  ])('(%s) are not answered in its place', async (_what, more, behind) => {
    const answer = Promise.withResolvers<void>();
    let calls = 0;
    const { send, secret } = await gateway(async () => {
      calls += 1;
      await answer.promise;
      return answered();
    });
    const json = ['content-type: application/json', 'content-length: 2', ...more];
    const client = await send(
      request(['host: a', `authorization: Bearer ${secret}`, ...json], '{}'),
    );
    await eventually(() => equal(calls, 1));
    client.send(behind);
    equal(await client.closed(), '');
    answer.resolve();
  });
});

describe('a client that closes its own side after the request', () => {
  const lines = (secret: string) => [
    'host: a',
    `authorization: Bearer ${secret}`,
    'content-type: application/json',
    'content-length: 2',
  ];

  test('still gets the whole answer, and then the end of the connection', async () => {
    const answer = Promise.withResolvers<void>();
    let call: InferenceCall | undefined;
    const { send, secret } = await gateway(async (asked) => {
      call = asked;
      await answer.promise;
      return answered();
    });
    const client = await send(request(lines(secret), '{}'));
    client.socket.end();
    await eventually(() => equal(call?.signal.aborted, false));
    // The server has seen the end: it asked whether anybody still listens.
    await client.until('HTTP/1.1 102 ');
    answer.resolve();
    match(await client.closed(), /\r\n\r\n\{"id":"resp_1"\}$/);
  });

  test('still gets the whole stream', async () => {
    const rest = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from('data: 1\n\n');
      await rest.promise;
      for (let count = 0; count < 200; count++) {
        yield Buffer.from('data: 2\n\n');
        await setImmediate();
      }
      yield Buffer.from('data: 3\n\n');
    }
    const { send, secret } = await gateway(async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: body(),
    }));
    const client = await send(request(lines(secret), '{}'));
    await client.until('data: 1');
    client.socket.end();
    rest.resolve();
    match(await client.closed(), /data: 3\n\n\r\n0\r\n\r\n$/);
  });

  test('gets nothing into a stream that is no part of it, and is noticed when it leaves', async () => {
    const pieces = ['data: {"a":', '1}\n\n', 'data: 2\n\n'];
    const next: PromiseWithResolvers<void>[] = pieces.map(() => Promise.withResolvers());
    let call: InferenceCall | undefined;
    async function* body() {
      for (const [index, piece] of pieces.entries()) {
        await next[index]?.promise;
        yield Buffer.from(piece);
      }
      await new Promise(() => {});
    }
    const { send, secret } = await gateway(async (asked) => {
      call = asked;
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: body() };
    });
    next[0]?.resolve();
    const client = await send(request(lines(secret), '{}'));
    await client.until('data: {"a":');
    client.socket.end();
    // In the middle of an event no comment may stand: only once it has ended is there one.
    next[1]?.resolve();
    await client.until(':\n\n\r\n');
    match(client.received().replaceAll(/\r\n[\da-f]+\r\n/g, ''), /data: \{"a":1\}\n\n:\n\n/);
    next[2]?.resolve();
    await client.until('data: 2');
    equal(call?.signal.aborted, false);
    client.socket.destroy();
    await eventually(() => equal(call?.signal.aborted, true));
  });

  test('and was gone altogether is noticed before there is an answer', async () => {
    const asked = Promise.withResolvers<InferenceCall>();
    const { send, secret } = await gateway((call) => {
      asked.resolve(call);
      return new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(call.signal.reason));
      });
    });
    const client = await send(request(lines(secret), '{}'));
    const call = await asked.promise;
    client.socket.destroy();
    await eventually(() => equal(call.signal.aborted, true));
  });
});

describe('a request line with another version of HTTP', () => {
  test.each(['2.0', '0.9'])('(%s) is refused', async (version) => {
    const { send, secret } = await gateway(answered);
    const lines = ['host: a', `authorization: Bearer ${secret}`, 'content-length: 2'];
    const client = await send(request(lines, '{}').replace('HTTP/1.1', `HTTP/${version}`));
    const [status] = await replyTo(client);
    equal(status, 400);
  });
});
