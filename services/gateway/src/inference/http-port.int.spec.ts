import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeClient,
  decodePrincipal,
  type InferenceCall,
  internalHttp,
  isStream,
  wholeText,
} from '@sluice/inference-port';
import { eventually } from '@sluice/patience';
import { afterEach, describe, test } from 'vitest';
import { listeningGateway } from '../testing/listening-gateway.ts';
import { rawConnection } from '../testing/raw-connection.ts';
import { httpInferencePort } from './http-port.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Something that stands where routing does, and the port towards it. */
async function routing(handler: Handler) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => handler(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const inference = httpInferencePort({ url: `http://127.0.0.1:${port}`, token: 'a-token' });
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  stops.push(() => inference.stop());
  return inference;
}

const call = (given: Partial<InferenceCall> = {}): InferenceCall => ({
  dialect: 'responses',
  principal: {
    accountId: 'org_1',
    workspaceId: 'ws',
    keyHash: 'a'.repeat(64),
    limitNanoUsd: 5n,
    limitReset: 'daily',
    includeByokInLimit: true,
  },
  requestId: 'req-1',
  body: Buffer.from('{"input": "ä"}'),
  signal: new AbortController().signal,
  ...given,
});

describe('routing in another process', () => {
  test('gets the bytes, whose they are, and the token', async () => {
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
    const inference = await routing((request, response, body) => {
      seen.resolve({ request, body });
      response.writeHead(402, { 'content-type': 'application/json', 'x-generation-id': 'gen-1' });
      response.end('{"error":{}}');
    });
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const client = { referer: 'https://app.example.com/', userAgent: 'app/1' };
    const asked = call({ traceparent, client });
    const reply = await inference.createResponse(asked);
    equal(reply.status, 402);
    equal(reply.headers['x-generation-id'], 'gen-1');
    equal(await wholeText(reply.body), '{"error":{}}');
    const { request, body } = await seen.promise;
    equal(body, '{"input": "ä"}');
    deepEqual([request.method, request.url], ['POST', `${internalHttp.answersPath}responses`]);
    const { headers } = request;
    equal(headers[internalHttp.tokenHeader], 'a-token');
    equal(headers[internalHttp.requestIdHeader], 'req-1');
    equal(headers[internalHttp.traceparentHeader], traceparent);
    deepEqual(decodeClient(String(headers[internalHttp.clientHeader])), client);
    deepEqual(decodePrincipal(String(headers[internalHttp.principalHeader])), asked.principal);
  });

  test('is asked of the catalog what the client asked, and for whom', async () => {
    const seen: IncomingMessage[] = [];
    const inference = await routing((request, response) => {
      seen.push(request);
      response.setHeader('etag', '"v1"').end('{"data":[]}');
    });
    const { principal } = call();
    const parameters = { q: 'a&b=c', author: '~a' };
    for (const question of [
      { view: 'models', parameters, reportsMeasured: false },
      {
        view: 'usable-models',
        parameters: {},
        reportsMeasured: true,
        format: 'anthropic',
        principal,
      },
    ] as const) {
      const reply = await inference.readCatalog(question);
      deepEqual([reply.status, await wholeText(reply.body)], [200, '{"data":[]}']);
      equal(reply.headers['etag'], '"v1"');
    }
    const [first, second] = seen.map(({ url, headers }) => ({
      url: new URL(url ?? '', 'http://routing'),
      headers,
    }));
    equal(first?.url.pathname, `${internalHttp.catalogPath}models`);
    deepEqual(Object.fromEntries(first.url.searchParams), parameters);
    equal(first.headers[internalHttp.measuredHeader], undefined);
    equal(first.headers[internalHttp.principalHeader], undefined);
    equal(first.headers[internalHttp.formatHeader], undefined);
    equal(second?.headers[internalHttp.formatHeader], 'anthropic');
    equal(second?.headers[internalHttp.measuredHeader], 'yes');
    equal(second.headers[internalHttp.tokenHeader], 'a-token');
    const header = String(second.headers[internalHttp.principalHeader]);
    deepEqual(decodePrincipal(header), principal);
  });

  test('that is not there is unavailable', async () => {
    const inference = httpInferencePort({ url: 'http://127.0.0.1:1', token: 'a-token' });
    stops.push(() => inference.stop());
    await rejects(inference.createResponse(call()), { code: 'unavailable' });
    const question = { view: 'models', parameters: {}, reportsMeasured: false } as const;
    await rejects(inference.readCatalog(question), { code: 'unavailable' });
  });

  test('that dies in the middle of a list is unavailable', async () => {
    const inference = await routing((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"data":[', () => request.socket.destroy());
    });
    const question = { view: 'models', parameters: {}, reportsMeasured: false } as const;
    await rejects(inference.readCatalog(question), { code: 'unavailable' });
  });

  test('that does not take our token does not turn that against the client', async () => {
    const inference = await routing((_request, response) => {
      response.writeHead(401).end('{"error":{"code":401}}');
    });
    await rejects(inference.createResponse(call()), { code: 'internal' });
  });

  test('that dies without an answer is unavailable, and in the middle breaks the stream', async () => {
    let times = 0;
    const inference = await routing((request, response) => {
      if (times++ === 0) return void request.socket.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n', () => request.socket.destroy());
    });
    await rejects(inference.createResponse(call()), { code: 'unavailable' });
    const reply = await inference.createResponse(call());
    equal(reply.status, 200);
    await rejects(wholeText(reply.body));
  });

  test('sends a small answer whole, or not at all, and a large one as it comes', async () => {
    const lengths = [7, 7, 2 * 1024 * 1024];
    const inference = await routing((request, response) => {
      const length = lengths.shift() ?? 0;
      response.writeHead(200, { 'content-length': length });
      if (lengths.length === 1) response.write('{', () => request.socket.destroy());
      else response.end(Buffer.alloc(length, ' '));
    });
    const small = await inference.createResponse(call());
    equal(isStream(small.body), false);
    equal(await wholeText(small.body), ' '.repeat(7));
    await rejects(inference.createResponse(call()), { code: 'unavailable' });
    const large = await inference.createResponse(call());
    equal(isStream(large.body), true);
    equal((await wholeText(large.body)).length, 2 * 1024 * 1024);
  });

  test('that breaks a stream in its very first bytes breaks that stream and nothing else', async () => {
    const inference = await routing((request) => {
      request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense');
    });
    await rejects(async () => wholeText((await inference.createResponse(call())).body));
  });
});

describe('a client of the gateway', () => {
  const ask = (secret: string) =>
    [
      'POST /v1/responses HTTP/1.1',
      'host: gateway',
      `authorization: Bearer ${secret}`,
      'content-type: application/json',
      'content-length: 2',
      '',
      '{}',
    ].join('\r\n');

  test('gets a stream through both hops piece by piece; leaving ends it at routing', async () => {
    const left = Promise.withResolvers<void>();
    const inference = await routing((_request, response) => {
      response.on('close', () => left.resolve());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const { service, port, secret } = await listeningGateway({
      createResponse: (asked) => inference.createResponse(asked),
    });
    stops.push(() => service.stop());
    const client = await rawConnection(port);
    client.send(ask(secret));
    await client.until('data: 1');
    client.socket.destroy();
    await left.promise;
  });

  test('that takes nothing pauses routing; when it reads again it gets everything', async () => {
    const pieces = 400;
    const piece = Buffer.alloc(64 * 1024, '#');
    let written = 0;
    const inference = await routing((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const fill = (): void => {
        while (written < pieces) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', fill);
        }
        response.end('data: [DONE]');
      };
      fill();
    });
    const { service, port, secret } = await listeningGateway({
      createResponse: (asked) => inference.createResponse(asked),
    });
    stops.push(() => service.stop());
    const client = await rawConnection(port);
    client.socket.pause();
    client.send(ask(secret));
    let before = -1;
    await eventually(
      () => {
        const isStill = written > 0 && written === before;
        before = written;
        equal(isStill, true, `${written} pieces were written`);
      },
      { everyMs: 250 },
    );
    // The kernel keeps less than that for three connections.
    equal(written < pieces, true, 'all was taken although nobody reads');
    client.socket.resume();
    const all = await client.until('data: [DONE]');
    equal(all.split('#').length - 1, pieces * piece.length);
  });

  test('that leaves while routing is still thinking ends it there, too', async () => {
    const left = Promise.withResolvers<void>();
    let thinking = 0;
    const inference = await routing((_request, response) => {
      thinking++;
      response.on('close', () => left.resolve());
    });
    const { service, port, secret } = await listeningGateway({
      createResponse: (asked) => inference.createResponse(asked),
    });
    stops.push(() => service.stop());
    const client = await rawConnection(port);
    client.send(ask(secret));
    await eventually(() => equal(thinking, 1));
    client.socket.destroy();
    await left.promise;
  });
});
