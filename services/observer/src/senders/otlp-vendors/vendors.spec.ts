import { deepEqual, equal, ok } from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { senders } from '../index.ts';
import type { Observed } from '../sender.ts';
import { aDestination, observed } from '../testing/a-generation.ts';
import { decodeOtlp, decodeResources } from '../testing/decode-otlp.ts';

const now = new Date('2026-11-27T10:00:05.000Z');
const base = 'https://receiver.example';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Each receiver as it documents itself: where it takes traces, and how it knows who sends them. */
const receivers: readonly [type: string, config: object, url: string, headers: object][] = [
  [
    'arize',
    { apiKey: 'k', spaceKey: 's', modelId: 'm', baseUrl: base },
    `${base}/v1/traces`,
    { api_key: 'k', space_id: 's' },
  ],
  [
    'braintrust',
    { apiKey: 'k', projectId: 'p', baseUrl: base },
    `${base}/otel/v1/traces`,
    { authorization: 'Bearer k', 'x-bt-parent': 'project_id:p' },
  ],
  [
    'datadog',
    { apiKey: 'k', mlApp: 'gateway', url: 'https://api.us5.datadoghq.com' },
    'https://otlp.us5.datadoghq.com/v1/traces',
    { 'dd-api-key': 'k', 'dd-otlp-source': 'llmobs' },
  ],
  [
    'grafana',
    { apiKey: 'k', instanceId: '7', baseUrl: base },
    `${base}/otlp/v1/traces`,
    { authorization: basic('7:k') },
  ],
  [
    'langfuse',
    { publicKey: 'pk', secretKey: 'sk', baseUrl: `${base}/` },
    `${base}/api/public/otel/v1/traces`,
    { authorization: basic('pk:sk') },
  ],
  [
    'langsmith',
    { apiKey: 'k', endpoint: base, project: 'main', workspaceId: 'w' },
    `${base}/otel/v1/traces`,
    { 'x-api-key': 'k', 'langsmith-project': 'main', 'x-tenant-id': 'w' },
  ],
  [
    'newrelic',
    { licenseKey: 'k', region: 'eu' },
    'https://otlp.eu01.nr-data.net/v1/traces',
    { 'api-key': 'k' },
  ],
  [
    'opik',
    { apiKey: 'k', workspace: 'w', projectName: 'p' },
    'https://www.comet.com/opik/api/v1/private/otel/v1/traces',
    { authorization: 'k', 'comet-workspace': 'w', projectname: 'p' },
  ],
  [
    'sentry',
    {
      dsn: 'https://key@o1.ingest.sentry.example/7',
      otlpEndpoint: `${base}/api/7/integration/otlp`,
    },
    `${base}/api/7/integration/otlp/v1/traces`,
    { 'x-sentry-auth': 'sentry sentry_version=7, sentry_key=key' },
  ],
  [
    'weave',
    { apiKey: 'k', entity: 'team', project: 'p', baseUrl: base },
    `${base}/otel/v1/traces`,
    { authorization: basic('api:k'), project_id: 'team/p' },
  ],
];

async function requestOf(type: string, config: object, batch: readonly Observed[] = [observed()]) {
  const destination = aDestination({ type, config: { ...config } });
  const requests = (await senders[type]?.requests(destination, batch, { now })) ?? [];
  equal(requests.length, 1);
  const [request] = requests;
  ok(request);
  const { url, headers } = request;
  const sent = Buffer.from(request.body);
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  return { url, headers, body };
}

describe('a receiver of OTLP', () => {
  test.each(receivers)('%s is called as it documents', async (type, config, url, wanted) => {
    const { headers, body, ...request } = await requestOf(type, config);
    equal(request.url, url);
    const { 'content-type': contentType, 'content-encoding': _coding, ...others } = headers;
    equal(contentType, 'application/x-protobuf');
    deepEqual(others, wanted);
    equal(decodeOtlp(body).length, 4);
  });

  test('gets the attributes of the resource that it sorts by', async () => {
    const resources = async (type: string) => {
      const [, config] = receivers.find(([name]) => name === type) ?? [];
      return decodeResources((await requestOf(type, config ?? {})).body);
    };
    deepEqual(await resources('weave'), [
      { 'service.name': 'sluice', 'wandb.entity': 'team', 'wandb.project': 'p' },
    ]);
    deepEqual(await resources('datadog'), [{ 'service.name': 'gateway' }]);
    deepEqual(await resources('grafana'), [{ 'service.name': 'sluice' }]);
    equal((await resources('arize'))[0]?.['model_id'], 'm');
  });

  test.each([
    ['arize', 'input.value', 'output.value'],
    ['braintrust', 'braintrust.input_json', 'braintrust.output_json'],
    ['langfuse', 'langfuse.observation.input', 'langfuse.observation.output'],
    ['langsmith', 'gen_ai.prompt', 'gen_ai.completion'],
  ])(
    '%s gets messages in the attributes that it reads, and only then',
    async (type, input, output) => {
      const [, config] = receivers.find(([name]) => name === type) ?? [];
      const spansFor = async (one: Observed) =>
        decodeOtlp((await requestOf(type, config ?? {}, [one])).body);
      const contents = {
        system: [{ type: 'text' as const, content: 'Be brief.' }],
        input: [{ role: 'user' as const, parts: [{ type: 'text' as const, content: 'hello' }] }],
        output: [{ role: 'assistant' as const, parts: [{ type: 'text' as const, content: 'hi' }] }],
        tools: [],
        isCut: false,
      };
      const spans = await spansFor({ ...observed(), contents });
      const holders = spans.filter(({ attributes }) => input in attributes);
      equal(holders.length, 1);
      const text = JSON.stringify(holders[0]?.attributes);
      for (const word of ['Be brief.', 'hello', 'hi']) ok(text.includes(word), word);
      ok(output in (holders[0]?.attributes ?? {}));
      for (const { attributes } of await spansFor(observed())) ok(!(input in attributes));
    },
  );

  test('langfuse gets the metadata of a trace, which is bounded', async () => {
    const [, config] = receivers.find(([name]) => name === 'langfuse') ?? [];
    const trace = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`key${index}`, 'x'.repeat(5_000)]),
    );
    const { body } = await requestOf('langfuse', config ?? {}, [
      observed({ trace: { trace_name: 'nightly', ...trace } }),
    ]);
    const [root] = decodeOtlp(body);
    equal(root?.attributes['langfuse.trace.name'], 'nightly');
    const names = Object.keys(root?.attributes ?? {});
    equal(names.filter((name) => name.startsWith('langfuse.trace.metadata.')).length, 50);
    equal(String(root?.attributes['langfuse.trace.metadata.key0']).length, 2_048);
  });
});
