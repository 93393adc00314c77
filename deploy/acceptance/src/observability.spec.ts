import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Collector, startCollector } from './collector.ts';
import { eventually, json, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

let collector: Collector;
let sluice: Instance;
let secret: string;
const prompt = 'canary-prompt-7f3a91';

beforeAll(async () => {
  collector = await startCollector();
  sluice = await startInstance({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const made = await manage(sluice, '/keys', { body: { name: 'observed' } });
  secret = text(made.body['key']);
  for (const input of [prompt, `${prompt} [sim:error-500]`])
    await json(sluice, '/responses', {
      key: secret,
      body: { model: 'sim/echo', input },
      headers: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
    });
});
afterAll(async () => {
  await sluice?.dispose();
  collector?.stop();
});

const spans = (): readonly Span[] =>
  collector.received.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });

describe('a trace', () => {
  test('continues the client’s, from the request to the call upstream', async () => {
    const mine = await eventually(
      async () => spans().filter(({ traceId }) => traceId === 'ab'.repeat(16)),
      (found) => found.length >= 4,
    );
    const server = mine.find(({ parentSpanId }) => parentSpanId === 'cd'.repeat(8));
    ok(server, 'no span has the client’s as its parent');
    match(server.name, /^POST /);
    ok(
      mine.some(({ parentSpanId }) => parentSpanId === server.spanId),
      'the call upstream is no child of the request',
    );
  });
});

describe('a log line', () => {
  test('tells of each request by id, route and status', async () => {
    const reply = await json(sluice, '/key', { key: secret });
    const id = reply.headers.get('x-request-id');
    const line = await eventually(
      async () =>
        (await readFile(join(sluice.dataDirectory, 'logs', 'sluice.log'), 'utf8'))
          .split('\n')
          .filter((entry) => entry !== '')
          .map((entry) => JSON.parse(entry) as Record<string, unknown>)
          .find((entry) => entry['requestId'] === id),
      (entry) => entry !== undefined,
    );
    deepEqual([line?.['route'], line?.['status']], ['/v1/key', 200]);
  });
});

describe('metrics', () => {
  test('count requests and name no key or account', async () => {
    const metrics = await (await fetch(`${sluice.adminUrl}/metrics`)).text();
    match(metrics, /http_server_request_duration_seconds_count\{[^}]*http_route="\/v1\/responses"/);
    match(metrics, /gen_ai_client_operation_duration_seconds_count\{/);
    ok(!metrics.includes(sluice.bootstrap.organization_id));
    ok(!metrics.includes(sluice.bootstrap.workspace_id));
  });

  test('are beside a live and a ready sign', async () => {
    equal((await fetch(`${sluice.adminUrl}/livez`)).status, 200);
    equal((await fetch(`${sluice.adminUrl}/readyz`)).status, 200);
  });
});

describe('what must stay secret', () => {
  test('a prompt, and the secret of a key, are in no file, trace, log or message', async () => {
    await sluice.stop();
    const { management_key, api_key } = sluice.bootstrap;
    const found: string[] = [];
    for (const path of await filesOf(sluice.dataDirectory)) {
      const content = await readFile(path, 'latin1');
      const isBootstrap = path.endsWith('/bootstrap.json') || path.endsWith('/bootstrap.plan.json');
      const canaries = isBootstrap ? [prompt, secret] : [prompt, secret, management_key, api_key];
      for (const canary of canaries) if (content.includes(canary)) found.push(path);
    }
    for (const body of collector.received)
      for (const canary of [prompt, secret, management_key, api_key])
        if (body.includes(canary)) found.push('a trace');
    deepEqual(found, []);
  });
});

async function filesOf(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
