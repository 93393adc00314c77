import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { encodeClient, encodePrincipal, internalHttp } from '@sluice/inference';
import { createLogger } from '@sluice/service';
import { checkedFetch } from '@sluice/testing/response-stream';
import {
  eventually,
  routingHarness,
  somebody,
  type RoutingHarness,
} from '../testing/routing-harness.ts';
import { startInternalHttp, type InternalHttp } from './internal-http.ts';

const token = 'a-shared-token';
let routing: RoutingHarness;
let server: InternalHttp;

beforeAll(async () => {
  routing = await routingHarness();
  server = await startInternalHttp({
    inference: routing.service.inference,
    address: '127.0.0.1:0',
    token,
    logger: createLogger({ service: 'routing', level: 'silent' }),
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
  checkedFetch(server.url + internalHttp.responsesPath, {
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

  test('lists the models', async () => {
    const response = await fetch(server.url + internalHttp.modelsPath, { headers });
    equal(response.status, 200);
    ok(((await response.json()) as { data: unknown[] }).data.length > 0);
  });

  test('reads the catalogue as the port itself does', async () => {
    for (const [view, parameters, principal] of [
      ['models', { q: 'sim/e', sort: 'newest' }, undefined],
      ['models', { limit: 'x' }, undefined],
      ['usable-models', { offset: '1' }, somebody],
      ['endpoints', { author: 'sim', slug: 'echo' }, undefined],
      ['model', { author: 'sim', slug: 'no such&x=1' }, undefined],
    ] as const) {
      const question = { view, parameters, tellsMeasured: true };
      const direct = await routing.service.inference.readCatalog(
        principal === undefined ? question : { ...question, principal },
      );
      const query = new URLSearchParams(parameters).toString();
      const over = await fetch(`${server.url}${internalHttp.catalogPath}${view}?${query}`, {
        headers: {
          [internalHttp.tokenHeader]: token,
          [internalHttp.measuredHeader]: 'yes',
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
  test('who has not the token', async () => {
    for (const wrong of [{ ...headers, [internalHttp.tokenHeader]: 'another-tokenx' }, {}]) {
      const response = await post({ model: 'sim/echo', input: 'x' }, { headers: wrong });
      equal(response.status, 401);
    }
    equal((await fetch(server.url + internalHttp.modelsPath)).status, 401);
  });

  test('who says not for whom', async () => {
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
