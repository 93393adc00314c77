import { deepEqual, equal, match } from 'node:assert/strict';
import type { InferenceCall, InferenceReply } from '@sluice/inference-port';
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

async function gateway(options: ListeningOptions) {
  const gateway = await listeningGateway({
    ...options,
    settings: { drainTimeoutMs: 200, ...options.settings },
  });
  open.push(gateway.service);
  const connection = async () => {
    const made = await rawConnection(gateway.port);
    connections.push(made);
    return made;
  };
  const head = (...lines: string[]) =>
    [
      'POST /v1/responses HTTP/1.1',
      'host: gateway',
      `authorization: Bearer ${gateway.secret}`,
      'content-type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n');
  return { ...gateway, connection, head };
}

const ask = (head: (...lines: string[]) => string) => `${head('content-length: 2')}{}`;
const ok = async () => jsonReply(200, { id: 'resp_1' });
const stream = (body: AsyncIterable<Uint8Array>): InferenceReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
});

function isEnvelope(text: string, status: number, message: string): void {
  match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
  match(text, /\r\nx-request-id: req-[0-9a-f-]{36}\r\n/i);
  const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: object };
  const { code, message: said } = body.error as { code: number; message: string };
  deepEqual([code, said], [status, message]);
}

/** An upload of five bytes: what comes before them, and with them. */
function uploadOf(head: (...lines: string[]) => string) {
  const disposition = 'content-disposition: form-data; name="file"; filename="a"';
  const part = `--b\r\n${disposition}\r\n\r\n`;
  const rest = 'hello\r\n--b--\r\n';
  const begun = head(`content-length: ${part.length + rest.length}`)
    .replace('/responses', '/files')
    .replace('application/json', 'multipart/form-data; boundary=b');
  return { begun: `${begun}${part}`, rest };
}

describe('a whole answer', () => {
  test('leaves byte for byte, whatever they are and however many', async () => {
    let body = new Uint8Array();
    const { port, secret } = await gateway({
      createResponse: async () => ({ status: 200, headers: {}, body }),
    });
    for (const length of [0, 512, 16 * 1024, 16 * 1024 + 1]) {
      body = Uint8Array.from({ length }, (_, place) => place % 256);
      const reply = await fetch(`http://127.0.0.1:${port}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{}',
      });
      deepEqual(new Uint8Array(await reply.arrayBuffer()), body);
    }
  });
});

describe('a stream', () => {
  test('leaves byte for byte', async () => {
    const texts = ['data: 1\n\n', '', 'data: ü\n\n', 'data: [DONE]\n\n'];
    async function* body() {
      for (const text of texts) yield Buffer.from(text);
    }
    const { port, secret } = await gateway({ createResponse: async () => stream(body()) });
    const reply = await fetch(`http://127.0.0.1:${port}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{}',
    });
    equal(reply.headers.get('content-type'), 'text/event-stream');
    match(reply.headers.get('x-request-id') ?? '', /^req-/);
    equal(await reply.text(), texts.join(''));
  });

  test('reaches the client piece by piece, not when it is over', async () => {
    const second = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from('data: 1\n\n');
      await second.promise;
      yield Buffer.from('data: 2\n\n');
    }
    const { connection, head } = await gateway({ createResponse: async () => stream(body()) });
    const client = await connection();
    client.send(ask(head));
    await client.until('data: 1');
    equal(client.received().includes('data: 2'), false);
    second.resolve();
    match(await client.until('\r\n0\r\n\r\n'), /data: 2/);
  });

  test('is made only as fast as the client takes it, and ends when the client leaves', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let made = 0;
    let ended = false;
    let call: InferenceCall | undefined;
    async function* endless() {
      try {
        for (;;) {
          made++;
          yield chunk;
        }
      } finally {
        ended = true;
      }
    }
    const { connection, head } = await gateway({
      async createResponse(asked) {
        call = asked;
        return stream(endless());
      },
    });
    const client = await connection();
    client.socket.pause();
    client.send(ask(head));
    let before = -1;
    await eventually(
      () => {
        const still = made > 0 && made === before;
        before = made;
        equal(still, true);
      },
      { everyMs: 250 },
    );
    equal(made * chunk.length < 32 * 1024 * 1024, true, `${made} chunks were made`);
    equal(call?.signal.aborted, false);
    client.socket.destroy();
    await eventually(() => deepEqual([ended, call?.signal.aborted], [true, true]));
  });

  test('whose client takes nothing any more is cut', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let call: InferenceCall | undefined;
    async function* endless() {
      for (;;) yield chunk;
    }
    const { connection, head, logger } = await gateway({
      async createResponse(asked) {
        call = asked;
        return stream(endless());
      },
      settings: { readerStalledTimeoutMs: 300 },
    });
    const client = await connection();
    client.socket.pause();
    client.send(ask(head));
    await eventually(() => equal(call?.signal.aborted, true));
    await eventually(() => equal(logger.lines.at(-1)?.fields.outcome, 'aborted'));
  });

  test('that waits for its model longer than a reader may stall is left alone', async () => {
    const patience = { readerStalledTimeoutMs: 100, connectionIdleTimeoutMs: 100 };
    async function* slow() {
      yield Buffer.from('data: 1\n\n');
      await new Promise((resolve) => setTimeout(resolve, 400));
      yield Buffer.from('data: 2\n\n');
    }
    const { connection, head } = await gateway({
      createResponse: async () => stream(slow()),
      settings: patience,
    });
    const client = await connection();
    client.send(ask(head));
    match(await client.until('\r\n0\r\n\r\n'), /data: 2/);
  });

  /** Returns a client that has asked for a stream that breaks after these bytes. */
  async function clientOfBroken(sent: string) {
    async function* broken() {
      yield Buffer.from(sent);
      throw new Error('a secret of the service');
    }
    const { connection, head } = await gateway({ createResponse: async () => stream(broken()) });
    const client = await connection();
    client.send(ask(head));
    return client;
  }

  test('that breaks between two events ends with an error, which does not tell why', async () => {
    const client = await clientOfBroken('data: 1\n\n');
    const text = await client.until('\r\n0\r\n\r\n');
    match(text, /data: 1\n\n.*event: error\ndata: .*"server_error".*data: \[DONE\]\n\n/s);
    equal(text.includes('secret'), false);
  });

  test('that breaks in an event is cut, not ended as if it were whole', async () => {
    const client = await clientOfBroken('data: 1\n');
    const text = await client.closed();
    equal(text.includes('\r\n0\r\n\r\n'), false);
  });
});

describe('a client that leaves before there is an answer', () => {
  test('aborts the call', async () => {
    const asked = Promise.withResolvers<InferenceCall>();
    const { connection, head, logger } = await gateway({
      createResponse(call) {
        asked.resolve(call);
        return new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason));
        });
      },
    });
    const client = await connection();
    client.send(ask(head));
    const call = await asked.promise;
    client.socket.destroy();
    await eventually(() => equal(call.signal.aborted, true));
    await eventually(() => equal(logger.lines.at(-1)?.fields.outcome, 'aborted'));
    equal(
      logger.lines.some(({ message }) => message === 'a request failed'),
      false,
      'nothing of ours failed',
    );
  });
});

describe('a body that is too large', () => {
  const settings = { inferenceBodyBytesMax: 100_000 };

  test('is refused by its announced length, and the connection can be used again', async () => {
    const { connection, head } = await gateway({ createResponse: ok, settings });
    const client = await connection();
    client.send(head('content-length: 500000'));
    client.send('x'.repeat(500_000));
    isEnvelope(await client.until('}}'), 413, 'Request payload is too large');
    client.send(ask(head));
    await client.until('resp_1');
  });

  test('is refused when it turns out so', async () => {
    const { connection, head } = await gateway({ createResponse: ok, settings });
    const client = await connection();
    client.send(head('transfer-encoding: chunked'));
    for (let count = 0; count < 50; count++) client.send(`2710\r\n${'x'.repeat(10_000)}\r\n`);
    client.send('0\r\n\r\n');
    isEnvelope(await client.until('}}'), 413, 'Request payload is too large');
    client.send(ask(head));
    await client.until('resp_1');
  });

  test('reaches an ordinary client as a 413, whole', async () => {
    const { port, secret } = await gateway({ createResponse: ok });
    const reply = await fetch(`http://127.0.0.1:${port}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: Buffer.alloc(40 * 1024 * 1024, 'x'),
    });
    equal(reply.status, 413);
    deepEqual(await reply.json(), {
      error: {
        code: 413,
        message: 'Request payload is too large',
        metadata: { error_type: 'payload_too_large' },
      },
    });
  });
});

describe('large bodies together', () => {
  const settings = { inferenceBodyBytesMax: 200_000, bodiesBytesMax: 250_000 };
  const large = 'x'.repeat(150_000);

  test('are refused beyond the memory for them, until another is done with', async () => {
    const answers: PromiseWithResolvers<InferenceReply>[] = [];
    const { connection, head } = await gateway({
      createResponse() {
        const answer = Promise.withResolvers<InferenceReply>();
        answers.push(answer);
        return answer.promise;
      },
      settings,
    });
    const [first, second, leaving] = [await connection(), await connection(), await connection()];
    const send = (client: typeof first) => client.send(head('content-length: 150000') + large);
    send(first);
    await eventually(() => equal(answers.length, 1));
    send(second);
    const refused = await second.until('}}');
    match(refused, /\r\nretry-after: 1\r\n/);
    isEnvelope(refused, 503, 'Service temporarily unavailable');
    answers[0]?.resolve(jsonReply(200, { id: 'resp_1' }));
    await first.until('resp_1');
    send(leaving);
    await eventually(() => equal(answers.length, 2));
    leaving.socket.destroy();
    await eventually(async () => {
      const client = await connection();
      send(client);
      await eventually(() => equal(answers.length, 3), { sameLooksMax: 25 });
    });
  });

  test('leave room for small ones', async () => {
    const { connection, head } = await gateway({
      createResponse: ({ body }) => (body.length > 2 ? new Promise(() => {}) : ok()),
      settings,
    });
    (await connection()).send(head('content-length: 150000') + large);
    (await connection()).send(`${head('transfer-encoding: chunked')}1\r\n`);
    const client = await connection();
    client.send(ask(head));
    await client.until('resp_1');
  });

  test('that do not say how large they are count as the largest', async () => {
    const { connection, head } = await gateway({ createResponse: ok, settings });
    (await connection()).send(`${head('transfer-encoding: chunked')}1\r\n`);
    await eventually(async () => {
      const client = await connection();
      client.send(head('content-length: 150000') + large);
      match(await client.until('}'), /^HTTP\/1\.1 503 /);
    });
  });
});

describe('a client that takes its time', () => {
  test('with the head is answered with 408', async () => {
    const { connection } = await gateway({
      createResponse: ok,
      settings: { headersTimeoutMs: 200, requestTimeoutMs: 400 },
    });
    const client = await connection();
    client.send('POST /v1/responses HTTP/1.1\r\nhost: gateway\r\n');
    const text = await client.closed();
    isEnvelope(text, 408, 'The request did not arrive in time');
    match(text, /^retry-after: 1\r$/m);
  });

  test('with the body is answered with 408', async () => {
    const { connection, head } = await gateway({
      createResponse: ok,
      settings: { headersTimeoutMs: 200, requestTimeoutMs: 400 },
    });
    const client = await connection();
    client.send(`${head('content-length: 100')}{"input":`);
    isEnvelope(await client.closed(), 408, 'The request did not arrive in time');
    const anthropic = await connection();
    anthropic.send(`${head('content-length: 100').replace('/responses', '/messages')}{"mess`);
    const text = await anthropic.closed();
    match(text, /^HTTP\/1\.1 408 /);
    deepEqual(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))), {
      type: 'error',
      error: {
        type: 'timeout_error',
        message: 'The request did not arrive in time',
        error_type: 'timeout',
      },
      request_id: null,
    });
  });

  test('with a file has more time than others', async () => {
    const { connection, head } = await gateway({
      createResponse: ok,
      settings: { headersTimeoutMs: 100, requestTimeoutMs: 200 },
    });
    const { begun, rest } = uploadOf(head);
    const slow = await connection();
    slow.send(begun);
    const other = await connection();
    other.send(`${head('content-length: 100')}{`);
    isEnvelope(await other.closed(), 408, 'The request did not arrive in time');
    slow.send(rest);
    match(await slow.until('}'), /^HTTP\/1\.1 201 /);
    slow.send(ask(head));
    match(await slow.until('resp_1'), /HTTP\/1\.1 200 /);
  });

  test('with a file for too long is answered with 408, and disconnected', async () => {
    const { connection, head } = await gateway({
      createResponse: ok,
      settings: { headersTimeoutMs: 100, requestTimeoutMs: 200, uploadTimeoutMs: 600 },
    });
    const late = await connection();
    late.send(uploadOf(head).begun);
    isEnvelope(await late.closed(), 408, 'The file did not arrive within 0.6 s');
  });

  test('with the first byte is disconnected', async () => {
    const { connection } = await gateway({
      createResponse: ok,
      settings: { connectionIdleTimeoutMs: 200 },
    });
    equal(await (await connection()).closed(), '');
  });
});

describe('bytes that are no request', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 'The request is not valid HTTP'],
    [
      'a head of 20 KB',
      `GET /v1/models HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'The request headers are too large',
    ],
    [
      'two lengths that differ',
      'POST /v1/keys HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      'The request is not valid HTTP',
    ],
    [
      'a length beside chunks',
      'POST /v1/keys HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'The request is not valid HTTP',
    ],
  ])('(%s) are answered with 400 and cut off', async (_what, bytes, message) => {
    const { connection } = await gateway({ createResponse: ok });
    const client = await connection();
    client.send(bytes);
    isEnvelope(await client.closed(), 400, message);
  });
});

describe('a request that HTTP allows and this server does not', () => {
  test.each([
    ['without a host', 'GET /v1/models HTTP/1.1\r\n\r\n', 'The Host header is missing'],
    [
      'that expects something else',
      'GET /v1/models HTTP/1.1\r\nhost: a\r\nexpect: 200-ok\r\n\r\n',
      'The expectation of the Expect header is not supported',
    ],
  ])('(%s) is answered with 400', async (_what, bytes, message) => {
    const { connection } = await gateway({ createResponse: ok });
    const client = await connection();
    client.send(bytes);
    isEnvelope(await client.until('}}'), 400, message);
  });

  test('of HTTP/1.0 needs no host', async () => {
    const { connection } = await gateway({ createResponse: ok });
    const client = await connection();
    client.send('GET /v1/key HTTP/1.0\r\n\r\n');
    isEnvelope(await client.closed(), 401, 'Missing Authentication header');
  });

  test('that waits to be asked for its body is asked', async () => {
    const { connection, head } = await gateway({ createResponse: ok });
    const client = await connection();
    client.send(head('content-length: 2', 'expect: 100-continue'));
    await client.until('HTTP/1.1 100 Continue');
    client.send('{}');
    await client.until('resp_1');
  });
});

describe('stopping', () => {
  test('lets an open stream end, and takes no new connection', async () => {
    const rest = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from('data: 1\n\n');
      await rest.promise;
      yield Buffer.from('data: 2\n\n');
    }
    const { service, connection, head, port } = await gateway({
      createResponse: async () => stream(body()),
      settings: { drainTimeoutMs: 5_000 },
    });
    const client = await connection();
    client.send(ask(head));
    await client.until('data: 1');
    const stopped = service.stop();
    deepEqual(service.unreadiness(), ['the gateway does not listen yet or is stopping']);
    await eventually(() =>
      fetch(`http://127.0.0.1:${port}/v1/models`).then(
        () => equal('open', 'closed'),
        () => {},
      ),
    );
    rest.resolve();
    await stopped;
    match(await client.closed(), /data: 2\n\n\r\n0\r\n\r\n$/);
  });

  test('cuts what does not end in time', async () => {
    async function* endless() {
      yield Buffer.from('data: 1\n\n');
      await new Promise(() => {});
    }
    const { service, connection, head } = await gateway({
      createResponse: async () => stream(endless()),
    });
    const client = await connection();
    client.send(ask(head));
    await client.until('data: 1');
    await service.stop();
    equal((await client.closed()).includes('\r\n0\r\n\r\n'), false);
  });
});
