import { deepEqual, equal, ok } from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { otelCollector } from '../otel-collector/otel-collector.ts';
import type { Observed, SenderRequest } from '../sender.ts';
import { aDestination, aGeneration, observed } from '../testing/a-generation.ts';
import { decodeOtlp } from '../testing/decode-otlp.ts';
import { tracesUrl } from './otlp-sender.ts';

const now = new Date('2026-11-27T10:00:05.000Z');
const everything = { cost: true, identity: true, requestContext: true };

async function requestOf(batch: readonly Observed[], changes = {}): Promise<SenderRequest> {
  const [request, ...more] = await otelCollector.requests(aDestination(changes), batch, { now });
  ok(request);
  deepEqual(more, []);
  return request;
}

const spansIn = ({ body, headers }: SenderRequest) => {
  const bytes = Buffer.from(body);
  return decodeOtlp(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
};

const spansFor = async (batch: readonly Observed[], changes = {}) =>
  spansIn(await requestOf(batch, changes));

const turn = aGeneration().turns[0];
ok(turn);

describe('a generation over OTLP', () => {
  test('is one trace: the request, its model call, and each attempt', async () => {
    const request = await requestOf([observed()]);
    equal(request.url, 'https://collector.example/v1/traces');
    equal(request.method, 'POST');
    equal(request.headers['content-type'], 'application/x-protobuf');
    const spans = spansIn(request);
    deepEqual(
      spans.map(({ name, kind }) => [name, kind]),
      [
        ['chat openai/gpt-5', 2],
        ['chat openai/gpt-5', 3],
        ['attempt azure', 3],
        ['attempt openai', 3],
      ],
    );
    const [root, call, first, second] = spans;
    equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
    equal(root?.parentSpanId, '');
    equal(call?.parentSpanId, root?.spanId);
    equal(first?.parentSpanId, call?.spanId);
    equal(second?.parentSpanId, call?.spanId);
    deepEqual(first?.status, { code: 2, message: 'provider_unavailable' });
    equal(first?.endNanos, second?.startNanos);
    equal(second?.endNanos, root?.endNanos);
    equal(root?.startNanos, BigInt(aGeneration().startedAtMs) * 1_000_000n);
  });

  test('has the attributes of the semantic conventions', async () => {
    const [, call] = await spansFor([observed()]);
    const { attributes } = call ?? {};
    equal(attributes?.['gen_ai.operation.name'], 'chat');
    equal(attributes?.['gen_ai.provider.name'], 'openai');
    equal(attributes?.['gen_ai.request.model'], 'openai/gpt-5');
    equal(attributes?.['gen_ai.response.id'], 'resp_1');
    deepEqual(attributes?.['gen_ai.response.finish_reasons'], ['stop']);
    equal(attributes?.['gen_ai.usage.input_tokens'], 12);
    equal(attributes?.['gen_ai.usage.output_tokens'], 30);
    equal(attributes?.['gen_ai.response.time_to_first_chunk'], 0.45);
    equal(attributes?.['gen_ai.conversation.id'], 'session-1');
  });

  test('shows cost, identity and context only to a destination that asks', async () => {
    const names = (attributes: Readonly<Record<string, unknown>> | undefined) =>
      Object.keys(attributes ?? {});
    const asked = [
      'sluice.cost.total_usd',
      'sluice.api_key.name',
      'sluice.workspace.id',
      'sluice.member.id',
      'user_agent.original',
      'http.request.header.referer',
    ];
    const [closed, closedCall] = await spansFor([observed()]);
    for (const name of asked) ok(!names(closed?.attributes).includes(name), name);
    ok(!names(closedCall?.attributes).includes('gen_ai.usage.cost'));
    const [open, openCall] = await spansFor([observed()], { shows: everything });
    for (const name of asked) ok(names(open?.attributes).includes(name), name);
    equal(open?.attributes['sluice.cost.total_usd'], 0.00125);
    equal(openCall?.attributes['gen_ai.usage.cost'], 0.00125);
    const shows = { ...everything, cost: false };
    const [costless] = await spansFor([observed()], { shows });
    ok(!names(costless?.attributes).includes('sluice.cost.total_usd'));
    equal(costless?.attributes['sluice.api_key.name'], 'Production');
  });

  test('honors the trace of the request, and passes the rest of it on', async () => {
    const trace = {
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      parent_span_id: 'b7ad6b7169203331',
      trace_name: 'nightly report',
      span_name: 'summarize',
      generation_name: 'summary',
      tenant: 'blue',
      retries: 2,
    };
    const [root, call] = await spansFor([observed({ trace })]);
    equal(root?.traceId, trace.trace_id);
    equal(root?.parentSpanId, trace.parent_span_id);
    equal(root?.name, 'summarize');
    equal(call?.name, 'summary');
    equal(root?.attributes['trace.name'], 'nightly report');
    equal(root?.attributes['trace.metadata.tenant'], 'blue');
    equal(root?.attributes['trace.metadata.retries'], 2);
    const uuid = { trace_id: '0af76519-16cd-43dd-8448-eb211c80319c' };
    const [fromUuid] = await spansFor([observed({ trace: uuid })]);
    equal(fromUuid?.traceId, trace.trace_id);
  });

  test('joins generations of one trace by any text, and never those of another account', async () => {
    const trace = { trace_id: 'order 4711' };
    const [first] = await spansFor([observed({ trace })]);
    const [second] = await spansFor([observed({ trace, generationId: 'gen-2' })]);
    const [foreign] = await spansFor([observed({ trace, accountId: 'other' })]);
    equal(first?.traceId, second?.traceId);
    ok(first?.spanId !== second?.spanId);
    ok(first?.traceId !== foreign?.traceId);
  });

  test('is the same spans when it is sent again', async () => {
    deepEqual(await spansFor([observed()]), await spansFor([observed()]));
  });

  test('has a span per turn and per tool call, and says that a guardrail found something', async () => {
    const turns = [turn, { ...turn, turn: 2, attempts: [] }];
    const toolCalls = [
      {
        number: 1,
        toolType: 'service:web_search',
        engine: 'exa',
        outcome: 'failed',
        startedAtMs: turn.startedAtMs,
        completedAtMs: turn.startedAtMs + 100,
        costNanoUsd: 5_000_000n,
      },
    ];
    const guardrailInvoked = true;
    const spans = await spansFor([
      observed({ turns, toolCalls, guardrailInvoked, moderationLatencyMs: 30 }),
    ]);
    deepEqual(
      spans.map(({ name }) => name),
      [
        'chat openai/gpt-5',
        'chat openai/gpt-5',
        'attempt azure',
        'attempt openai',
        'chat openai/gpt-5',
        'execute_tool service:web_search',
      ],
    );
    const [root] = spans;
    equal(spans.at(-1)?.parentSpanId, root?.spanId);
    equal(spans.at(-1)?.status.code, 2);
    deepEqual(root?.events, [{ name: 'sluice.guardrail.invoked', attributes: {} }]);
    equal(root?.attributes['sluice.moderation.latency_ms'], 30);
    equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  });

  test('has an event for each detection of a guardrail, and none of the text that it found', async () => {
    const event = {
      stage: 'input',
      guardrailId: 'guardrail-1',
      guardrailScope: 'workspace',
      filter: 'custom',
      label: '[ORDER]',
      action: 'redact',
      rule: '',
      place: 'input.3',
      count: 2,
    };
    const [root] = await spansFor([
      observed({
        guardrailInvoked: true,
        guardrailEvents: [event, { ...event, stage: 'output', action: 'block', count: 1 }],
        guardrailEventsOmitted: 7,
      }),
    ]);
    const attributes = {
      'sluice.guardrail.stage': 'input',
      'sluice.guardrail.id': 'guardrail-1',
      'sluice.guardrail.scope': 'workspace',
      'sluice.guardrail.filter': 'custom',
      'sluice.guardrail.label': '[ORDER]',
      'sluice.guardrail.action': 'redact',
      'sluice.guardrail.place': 'input.3',
      'sluice.guardrail.count': 2,
    };
    const output = {
      ...attributes,
      'sluice.guardrail.stage': 'output',
      'sluice.guardrail.action': 'block',
      'sluice.guardrail.count': 1,
    };
    deepEqual(root?.events, [
      { name: 'sluice.guardrail.detected', attributes },
      { name: 'sluice.guardrail.detected', attributes: output },
    ]);
    equal(root?.attributes['sluice.guardrail.events_omitted'], 7);
  });

  test('has its contents at the last model call, and at no other', async () => {
    const contents = {
      system: [],
      input: [{ role: 'user' as const, parts: [{ type: 'text' as const, content: 'hello' }] }],
      output: [],
      tools: [],
      isCut: true,
    };
    const turns = [turn, { ...turn, turn: 2, attempts: [] }];
    const spans = await spansFor([{ generation: aGeneration({ turns }), contents }]);
    const holders = spans.filter(({ attributes }) => 'gen_ai.input.messages' in attributes);
    equal(holders.length, 1);
    equal(holders[0]?.attributes['sluice.turn'], 2);
    equal(holders[0]?.attributes['sluice.contents.cut'], true);
    deepEqual(JSON.parse(String(holders[0]?.attributes['gen_ai.input.messages'])), contents.input);
  });

  test('that failed has the status of an error', async () => {
    const [root] = await spansFor([
      observed({ outcome: 'failed', errorCode: 'provider_unavailable', turns: [] }),
    ]);
    deepEqual(root?.status, { code: 2, message: 'provider_unavailable' });
    equal(root?.attributes['error.type'], 'provider_unavailable');
  });
});

describe('an answer of a collector', () => {
  const reply = (status: number, body = new Uint8Array(), headers = {}) => ({
    status,
    body,
    headers,
  });
  const judge = (given: ReturnType<typeof reply>) => otelCollector.judge?.(given, { now });
  // ExportTraceServiceResponse.partial_success.rejected_spans = 3
  const partial = Buffer.from([0x0a, 0x02, 0x08, 0x03]);

  test.each([
    [200, 'delivered'],
    [202, 'delivered'],
    [400, 'refused'],
    [413, 'refused'],
    [401, 'retry'],
    [404, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [302, 'refused'],
  ])('with the status %i means %s', (status, outcome) => {
    equal(judge(reply(status))?.outcome, outcome);
  });

  test('that took only some of the spans means that the batch is to be split', () => {
    deepEqual(judge(reply(200, partial)), { outcome: 'refused' });
    deepEqual(judge(reply(200, Buffer.from('{}'))), { outcome: 'delivered' });
    deepEqual(judge(reply(200, Buffer.from([0xff, 0xff]))), { outcome: 'delivered' });
  });

  test('tells in both forms when to come again', () => {
    const after = (text: string) => judge(reply(503, undefined, { 'retry-after': text }));
    deepEqual(after('7'), { outcome: 'retry', retryAfterMs: 7_000 });
    deepEqual(after('Fri, 27 Nov 2026 10:00:35 GMT'), { outcome: 'retry', retryAfterMs: 30_000 });
    deepEqual(after('999999'), { outcome: 'retry', retryAfterMs: 3_600_000 });
    deepEqual(after('soon'), { outcome: 'retry' });
  });
});

test.each([
  ['https://a.example', 'https://a.example/v1/traces'],
  ['https://a.example/', 'https://a.example/v1/traces'],
  ['https://a.example/otlp/', 'https://a.example/otlp/v1/traces'],
  ['https://a.example/v1/traces', 'https://a.example/v1/traces'],
  ['https://a.example/x?token=1', 'https://a.example/x/v1/traces?token=1'],
])('traces of %s go to %s', (endpoint, url) => equal(tracesUrl(endpoint), url));
