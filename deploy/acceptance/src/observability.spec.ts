import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Collector, startCollector } from './collector.ts';
import { eventStoreOf } from './event-log.ts';
import { eventually, json, manage, raw, streamed, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { type Span, spansOf } from './recorded-spans.ts';

let collector: Collector;
let sluice: Instance;
let secret: string;
const prompt = 'canary-prompt-7f3a91';

beforeAll(async () => {
  collector = await startCollector();
  sluice = await startInstance({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
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
  await collector?.stop();
});

const logLineOf = async (requestId: string) =>
  await eventually(
    async () =>
      (await readFile(join(sluice.dataDirectory, 'logs', 'sluice.log'), 'utf8'))
        .split('\n')
        .filter((entry) => entry !== '')
        .map((entry) => JSON.parse(entry) as Record<string, unknown>)
        .find((entry) => entry['requestId'] === requestId && entry['msg'] === 'request'),
    (entry) => entry !== undefined,
  );

/** Waits until the trace has spans of all names, and returns them in the order of the names. */
async function spansNamed(traceId: unknown, names: readonly RegExp[]): Promise<readonly Span[]> {
  const found = await eventually(
    async () => {
      const trace = spansOf(collector).filter((span) => span.traceId === traceId);
      return names.map((name) => trace.find((span) => name.test(span.name)));
    },
    (all) => all.every((span) => span !== undefined),
  );
  return found.filter((span) => span !== undefined);
}

const isFailedCall = ({ name, attributes }: Span) =>
  name === 'chat sim/echo' && attributes['error.type'] === 'provider_unavailable';

describe('a trace', () => {
  test('continues the client’s, from the request to the call upstream', async () => {
    const mine = await eventually(
      async () => spansOf(collector).filter(({ traceId }) => traceId === 'ab'.repeat(16)),
      (found) => found.length >= 4 && found.some(isFailedCall),
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
    const line = await logLineOf(text(id));
    deepEqual([line?.['route'], line?.['status']], ['/v1/key', 200]);
  });
});

describe('with the X-Request-Id of a reply the operator finds', () => {
  test.each([true, false])(
    'the log line and all spans of an inference request (streamed: %s)',
    async (stream) => {
      const body = { model: 'sim/echo', input: prompt, stream };
      const reply = await raw(sluice, '/responses', { key: secret, body });
      const requestId = text(reply.headers.get('x-request-id'));
      const generationId = text(reply.headers.get('x-generation-id'));
      await (stream ? streamed(reply) : reply.json());
      const { traceId } = (await logLineOf(requestId)) ?? {};
      const [server, upstream, counted] = await spansNamed(traceId, [
        /^POST \/v1\/responses$/,
        /^chat sim\/echo$/,
        /^count usage$/,
      ]);
      ok(server && upstream && counted);
      deepEqual(
        [server, upstream, counted].map(({ kind, attributes }) => [
          kind,
          attributes['sluice.request.id'],
        ]),
        [
          [2, requestId],
          [3, requestId],
          [5, requestId],
        ],
      );
      deepEqual([upstream.parentSpanId, counted.parentSpanId], [server.spanId, server.spanId]);
      equal(server.attributes['sluice.workspace.id'], sluice.bootstrap.workspace_id);
      const { 'gen_ai.response.id': responseId, ...told } = upstream.attributes;
      equal(typeof responseId, 'string');
      const { data } = (
        await eventually(
          async () => await json(sluice, `/generation?id=${generationId}`, { key: secret }),
          ({ status }) => status === 200,
        )
      ).body;
      deepEqual(
        {
          operation: told['gen_ai.operation.name'],
          provider: told['gen_ai.provider.name'],
          model: told['gen_ai.request.model'],
          stream: told['gen_ai.request.stream'],
          input: told['gen_ai.usage.input_tokens'],
          output: told['gen_ai.usage.output_tokens'],
          reasons: told['gen_ai.response.finish_reasons'],
          generation: told['sluice.generation.id'],
        },
        {
          operation: 'chat',
          provider: 'simulator',
          model: 'sim/echo',
          stream,
          input: data?.['tokens_prompt'],
          output: data?.['tokens_completion'],
          reasons: [data?.['native_finish_reason']],
          generation: generationId,
        },
      );
      equal(typeof told['gen_ai.response.time_to_first_chunk'], stream ? 'number' : 'undefined');
    },
  );

  test('the log line, all spans and the events of a change', async () => {
    const made = await manage(sluice, '/keys', { body: { name: 'traced' } });
    const requestId = text(made.headers.get('x-request-id'));
    const { traceId } = (await logLineOf(requestId)) ?? {};
    const method = /^sluice\.key\.v1\.KeyService\//;
    const [server, append] = await spansNamed(traceId, [/^POST \/v1\/keys$/, /^append$/]);
    ok(server && append);
    const ofKeys = spansOf(collector).filter(
      (span) => span.traceId === traceId && method.test(span.name),
    );
    const caller = ofKeys.find(({ kind }) => kind === 3);
    const called = ofKeys.find(({ kind }) => kind === 2);
    deepEqual(
      [caller?.parentSpanId, called?.parentSpanId, append.parentSpanId],
      [server.spanId, caller?.spanId, called?.spanId],
    );
    for (const span of [server, caller, append])
      equal(span?.attributes['sluice.request.id'], requestId);
    const stream = text(append.attributes['sluice.stream']).replace(/^sluice\./, '');
    const store = await eventStoreOf(sluice);
    const events = await Array.fromAsync(store.read(stream));
    await store.stop();
    const metadata = events.map(
      (event) => event.metadata as { requestId?: string; traceparent?: string },
    );
    deepEqual(
      metadata.map((one) => [one.requestId, one.traceparent]),
      events.map(() => [requestId, `00-${String(traceId)}-${String(called?.spanId)}-01`]),
    );
    ok(events.length > 0);
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
