import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { destinationTypes } from '@sluice/destinations';
import { describe, test } from 'vitest';
import { senders } from './index.ts';
import type { Observed } from './sender.ts';
import { aDestination, observed } from './testing/a-generation.ts';

// Destinations that have bodies of their own.

const now = new Date('2026-11-27T10:00:05.000Z');
const contents = {
  system: [],
  input: [{ role: 'user' as const, parts: [{ type: 'text' as const, content: 'hello' }] }],
  output: [{ role: 'assistant' as const, parts: [{ type: 'text' as const, content: 'hi' }] }],
  tools: [],
  isCut: false,
};
const everything = { cost: true, identity: true, requestContext: true };
const configs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  clickhouse: {
    host: 'https://click.example:8443',
    database: 'traces',
    username: 'sluice',
    password: 'pässword',
    table: 'SERVICE_TRACES',
  },
  snowflake: {
    account: 'my_org-account',
    token: 'token',
    warehouse: 'COMPUTE_WH',
    database: 'DB',
    schema: 'PUBLIC',
    table: 'SERVICE_TRACES',
  },
  posthog: { apiKey: 'phc', endpoint: 'https://us.i.posthog.com' },
  ramp: { apiKey: 'key', baseUrl: 'https://api.ramp.example/usage' },
  s3: {
    bucketName: 'bucket',
    accessKeyId: 'AKIA',
    secretAccessKey: 'secret',
    prefix: 'service-traces',
    pathTemplate: '{prefix}/{date}/{apiKeyName}',
  },
};

async function requestsOf(
  type: string,
  { batch = [observed()], config = {}, shows = everything }: Partial<Given> = {},
) {
  const destination = aDestination({ type, config: { ...configs[type], ...config }, shows });
  const requests = (await senders[type]?.requests(destination, batch, { now })) ?? [];
  return requests.map((request) => ({ ...request, body: String(request.body) }));
}

interface Given {
  readonly batch: readonly Observed[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly shows: typeof everything;
}

test('every type has a sender', () => {
  deepEqual(Object.keys(senders).toSorted(), destinationTypes.toSorted());
});

describe.each(Object.keys(configs))('%s', (type) => {
  test('gets the same requests for the same generations, whenever they are sent', async () => {
    const bare = async () =>
      (await requestsOf(type)).map(({ url, method, body }) => ({ url, method, body }));
    deepEqual(await bare(), await bare());
  });

  test('gets cost, identity and context only if it asks, and contents only if there are any', async () => {
    const textOf = async (given: Partial<Given>) =>
      (await requestsOf(type, given)).map(({ body }) => body).join();
    const whole = await textOf({ batch: [{ ...observed(), contents }] });
    for (const word of ['hello', 'hi', '0.00125', 'Production', 'agent/1'])
      ok(whole.includes(word), word);
    const shows = { cost: false, identity: false, requestContext: false };
    const bare = await textOf({ shows });
    for (const word of ['hello', '0.00125', 'Production', 'agent/1'])
      ok(!bare.includes(word), word);
  });
});

describe('clickhouse', () => {
  test('gets rows of JSON by one INSERT, with a token for deduplication', async () => {
    const batch = [observed(), observed({ generationId: 'gen-2' })];
    const [request] = await requestsOf('clickhouse', { batch });
    const url = new URL(request?.url ?? '');
    equal(url.searchParams.get('query'), 'INSERT INTO `SERVICE_TRACES` FORMAT JSONEachRow');
    equal(url.searchParams.get('database'), 'traces');
    match(url.searchParams.get('insert_deduplication_token') ?? '', /^[0-9a-f-]{36}$/);
    equal(Buffer.from(request?.headers['x-clickhouse-key'] ?? '', 'latin1').toString(), 'pässword');
    const rows = request?.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    deepEqual(
      rows?.map((row) => ('generation_id' in row ? row.generation_id : undefined)),
      ['gen-1', 'gen-2'],
    );
  });
});

describe('snowflake', () => {
  test('gets one statement whose parameter is the rows', async () => {
    const [request] = await requestsOf('snowflake', { batch: [observed({ model: "o'model" })] });
    match(
      request?.url ?? '',
      /^https:\/\/my-org-account\.snowflakecomputing\.com\/api\/v2\/statements\?requestId=[0-9a-f-]{36}&retry=true$/,
    );
    equal(request?.headers['authorization'], 'Bearer token');
    const body = JSON.parse(request?.body ?? '') as {
      statement: string;
      bindings: Record<string, { type: string; value: string }>;
    };
    match(
      body.statement,
      /^INSERT INTO SERVICE_TRACES \("GENERATION_ID", .*\) SELECT value:generation_id, .* FROM TABLE\(FLATTEN\(INPUT => PARSE_JSON\(\?\)\)\)$/,
    );
    ok(!body.statement.includes("o'model"));
    const rows = JSON.parse(body.bindings['1']?.value ?? '') as { model: string }[];
    equal(rows[0]?.model, "o'model");
  });

  test('is asked again while its statement runs', () => {
    const reply = (status: number) =>
      senders['snowflake']?.judge?.({ status, headers: {}, body: new Uint8Array() }, { now });
    deepEqual(
      [202, 200, 422, 429].map((status) => reply(status)?.outcome),
      ['retry', 'delivered', 'refused', 'retry'],
    );
  });
});

describe('posthog', () => {
  test('gets a generation and its tool calls as events of one trace', async () => {
    const toolCalls = [
      {
        number: 1,
        toolType: 'service:web_search',
        engine: 'exa',
        outcome: 'failed',
        startedAtMs: 0,
        completedAtMs: 100,
        costNanoUsd: 5_000_000n,
      },
    ];
    const [request] = await requestsOf('posthog', { batch: [observed({ toolCalls })] });
    equal(request?.url, 'https://us.i.posthog.com/batch/');
    const body = JSON.parse(request?.body ?? '') as {
      api_key: string;
      batch: {
        event: string;
        uuid: string;
        distinct_id: string;
        properties: Record<string, unknown>;
      }[];
    };
    equal(body.api_key, 'phc');
    const [generation, tool] = body.batch;
    deepEqual([generation?.event, tool?.event], ['$ai_generation', '$ai_span']);
    equal(generation?.distinct_id, 'customer-7');
    match(
      generation?.uuid ?? '',
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    equal(generation?.properties['$ai_input_tokens'], 12);
    equal(generation?.properties['$ai_latency'], 2);
    equal(tool?.properties['$ai_parent_id'], generation?.properties['$ai_span_id']);
    equal(tool?.properties['$ai_trace_id'], generation?.properties['$ai_trace_id']);
  });

  test('makes no person of a request without a user', async () => {
    const [request] = await requestsOf('posthog', { batch: [observed({ externalUser: '' })] });
    match(request?.body ?? '', /"\$process_person_profile":false/);
  });
});

describe('s3', () => {
  const nameOf = async (keyName: string, config = {}) => {
    const [request] = await requestsOf('s3', { batch: [observed({ keyName })], config });
    return request?.url ?? '';
  };

  test('gets an object for each generation, signed with the hash of its body', async () => {
    const batch = [observed(), observed({ generationId: 'gen-2' })];
    const [first, second] = await requestsOf('s3', { batch });
    ok(first && second && first.url !== second.url);
    equal(first.method, 'PUT');
    match(
      first.url,
      /^https:\/\/s3\.us-east-1\.amazonaws\.com\/bucket\/service-traces\/2026-11-27\/Production\/[0-9a-f]{32}-1795773602000-[0-9a-f]{8}\.json$/,
    );
    const hash = createHash('sha256').update(first.body).digest('hex');
    equal(first.headers['x-amz-content-sha256'], hash);
    match(
      first.headers['authorization'] ?? '',
      /Credential=AKIA\/20261127\/us-east-1\/s3\/aws4_request/,
    );
    equal((JSON.parse(first.body) as { id: string }).id, 'gen-1');
  });

  test.each([
    ['a/../../b', 'a-..-..-b'],
    ['..', ''],
    ['Ü & co', '%C3%9C%20%26%20co/'],
  ])('keeps a key named %s in one folder', async (keyName, folder) => {
    ok((await nameOf(keyName)).includes(`/2026-11-27/${folder}`), await nameOf(keyName));
  });

  test('takes the endpoint of another store, and any template', async () => {
    const url = await nameOf('k', {
      endpoint: 'https://minio.example/',
      pathTemplate: 'x/{year}/{month}/{day}',
    });
    match(url, /^https:\/\/minio\.example\/bucket\/x\/2026\/11\/27\/[0-9a-f]{32}-/);
  });
});
