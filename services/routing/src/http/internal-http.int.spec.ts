import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { encodeClient, encodePrincipal, internalHttp } from '@sluice/inference-port';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { checkedFetch } from '@sluice/testing/response-stream';
import {
  eventually,
  routingHarness,
  somebody,
  type RoutingHarness,
} from '../testing/routing-harness.ts';
import { startInternalHttp, type InternalHttp } from './internal-http.ts';

const token = 'a-shared-token';
const telemetry = createTelemetry({ serviceName: 'routing', otlpEndpoint: undefined });
let routing: RoutingHarness;
let server: InternalHttp;

beforeAll(async () => {
  routing = await routingHarness();
  server = await startInternalHttp({
    inference: routing.service.inference,
    address: '127.0.0.1:0',
    token,
    logger: createLogger({ service: 'routing', level: 'silent' }),
    telemetry,
  });
});
afterAll(async () => {
  await server.stop();
  await routing.stop();
});

const headers = {
  [internalHttp.tokenHeader]: token,
  [internalHttp.principalHeader]: encodePrincipal(somebody),
  [internalHttp.requestIdHeader]: 'req-over-http',
  [internalHttp.clientHeader]: encodeClient({ userAgent: 'app/1' }),
};

const post = (body: object, options: RequestInit = {}) =>
  checkedFetch(server.url + `${internalHttp.answersPath}responses`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...options,
  });

describe('the port over HTTP', () => {
  test('answers as the port itself does', async () => {
    const response = await post({ model: 'sim/echo', input: 'hello' });
    equal(response.status, 200);
    const { output_text } = (await response.json()) as { output_text: string };
    equal(output_text, 'You said: hello');
    const id = response.headers.get('x-generation-id');
    const fact = await eventually(
      () => routing.ledger.facts.find(({ generationId }) => generationId === id),
      'the fact',
    );
    deepEqual([fact.requestId, fact.accountId], ['req-over-http', 'account']);
    equal(fact.userAgent, 'app/1');
  });

  test('streams', async () => {
    const response = await post({ model: 'sim/chat', input: 'hello', stream: true });
    equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    ok((await response.text()).endsWith('data: [DONE]\n\n'));
  });

  test('reads the catalog as the port itself does', async () => {
    for (const [view, parameters, principal, format] of [
      ['models', { q: 'sim/e', sort: 'newest' }, undefined],
      ['models', { limit: 'x' }, undefined],
      ['usable-models', { offset: '1' }, somebody],
      ['models', { limit: '1' }, undefined, 'anthropic'],
      ['retrieved-model', { model: 'no/such' }, undefined, 'anthropic'],
      ['endpoints', { author: 'sim', slug: 'echo' }, undefined],
      ['model', { author: 'sim', slug: 'no such&x=1' }, undefined],
    ] as const) {
      const question = { view, parameters, reportsMeasured: true, ...(format && { format }) };
      const direct = await routing.service.inference.readCatalog(
        principal === undefined ? question : { ...question, principal },
      );
      const query = new URLSearchParams(parameters).toString();
      const over = await fetch(`${server.url}${internalHttp.catalogPath}${view}?${query}`, {
        headers: {
          [internalHttp.tokenHeader]: token,
          [internalHttp.measuredHeader]: 'yes',
          ...(format && { [internalHttp.formatHeader]: format }),
          ...(principal && { [internalHttp.principalHeader]: encodePrincipal(principal) }),
        },
      });
      equal(over.status, direct.status);
      deepEqual(Buffer.from(await over.arrayBuffer()), Buffer.from(direct.body as Uint8Array));
      equal(over.headers.get('etag') ?? undefined, direct.headers['etag']);
    }
  });

  test('carries a client that leaves', async () => {
    const leaving = new AbortController();
    const response = await post(
      { model: 'sim/sim-slow-5', input: '[sim:words-60]', stream: true },
      { signal: leaving.signal },
    );
    const id = response.headers.get('x-generation-id');
    await response.body?.getReader().read();
    leaving.abort();
    const fact = await eventually(
      () => routing.ledger.facts.find(({ generationId }) => generationId === id),
      'the fact',
    );
    deepEqual([fact.outcome, fact.estimated], ['cancelled', false]);
  });
});

describe('the port over HTTP refuses', () => {
  test('a request without the token', async () => {
    for (const wrong of [{ ...headers, [internalHttp.tokenHeader]: 'another-tokenx' }, {}]) {
      const response = await post({ model: 'sim/echo', input: 'x' }, { headers: wrong });
      equal(response.status, 401);
    }
    equal((await fetch(`${server.url}${internalHttp.catalogPath}models`)).status, 401);
  });

  test('a request without a principal', async () => {
    const unknown = { ...headers, [internalHttp.principalHeader]: 'e30' };
    equal((await post({ model: 'sim/echo', input: 'x' }, { headers: unknown })).status, 401);
    const usable = `${server.url}${internalHttp.catalogPath}usable-models`;
    equal((await fetch(usable, { headers: unknown })).status, 401);
  });

  test('other paths, and bodies that are too large', async () => {
    equal((await fetch(`${server.url}/elsewhere`, { headers })).status, 404);
    const catalog = `${server.url}${internalHttp.catalogPath}`;
    equal((await fetch(`${catalog}secrets`, { headers })).status, 404);
    equal((await fetch(`${catalog}models`)).status, 401);
    const body = Buffer.alloc(33 * 1024 * 1024, 'x');
    const outcome = await post({}, { body }).then(
      ({ status }) => status,
      () => 'reset',
    );
    ok(outcome === 413 || outcome === 'reset', String(outcome));
  });
});

/** A connection that is there already when it asks, so that many can ask at the same moment. */
async function connected(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = Object.entries({ ...headers, host: 'routing', connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const answer = once(socket, 'end').then(() => Buffer.concat(chunks).toString());
  return {
    answer,
    send: (body: string) =>
      socket.write(
        `POST ${internalHttp.answersPath}responses HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
      ),
  };
}

async function refusalOf(answer: Promise<string>): Promise<string> {
  const text = await answer;
  if (!text.startsWith('HTTP/1.1 503 ')) throw new Error(text);
  return text;
}

describe('the port over HTTP, when more comes than it can serve', () => {
  test('lets requests wait that come faster than the ledger counts', async () => {
    let bound: number | undefined = 0.002;
    const behind = await startInternalHttp({
      inference: {
        ...routing.service.inference,
        createResponse: async () => ({ status: 200, headers: {}, body: '{}' }),
        startsPerMsMax: () => bound,
      },
      address: '127.0.0.1:0',
      token,
      logger: createLogger({ service: 'routing', level: 'silent' }),
      telemetry: createTelemetry({ serviceName: 'routing', otlpEndpoint: undefined }),
      waitingMax: 1,
    });
    try {
      const clients: Awaited<ReturnType<typeof connected>>[] = [];
      while (clients.length < 3) clients.push(await connected(behind.url));
      for (const client of clients) client.send('{}');
      // One starts, one waits, and for the third there is no place.
      const answered = clients.map(({ answer }) => answer);
      match(await Promise.any(answered.map(refusalOf)), /^HTTP\/1\.1 503 /);
      bound = undefined;
      const statuses = (await Promise.all(answered)).map((answer) => answer.slice(9, 12));
      deepEqual(statuses.toSorted(), ['200', '200', '503']);
    } finally {
      await behind.stop();
    }
  });

  test('serves some, refuses the others at once, and says when to come again', async () => {
    let served = 0;
    const busy = await startInternalHttp({
      inference: {
        ...routing.service.inference,
        async createResponse() {
          served++;
          const endMs = performance.now() + 15;
          while (performance.now() < endMs);
          return { status: 200, headers: {}, body: Buffer.from('{}') };
        },
      },
      address: '127.0.0.1:0',
      token,
      logger: createLogger({ service: 'routing', level: 'silent' }),
      telemetry,
      waitingMax: 1,
    });
    try {
      const clients: Awaited<ReturnType<typeof connected>>[] = [];
      while (clients.length < 20) clients.push(await connected(busy.url));
      for (const client of clients) client.send('{}');
      const answers = await Promise.all(clients.map(({ answer }) => answer));
      const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '));
      const answered = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 '));
      ok(refused.length > 0, 'none was refused');
      equal(answered.length, served);
      equal(served + refused.length, clients.length);
      for (const answer of refused) {
        match(answer, /\r\nretry-after: 1\r\n/);
        match(answer, /"error_type":"provider_overloaded"/);
      }
      const counted = [
        ...(await telemetry.prometheus()).matchAll(/routing_refusals_total{[^}]*} (\d+)/g),
      ].reduce((sum, [, count]) => sum + Number(count), 0);
      equal(counted, refused.length);
      equal((await fetch(`${busy.url}${internalHttp.catalogPath}models`, { headers })).status, 200);
    } finally {
      await busy.stop();
    }
  });
});
