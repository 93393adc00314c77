import { deepEqual, equal, ok } from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadCatalog } from '@sluice/catalog';
import { createCheckedRoute, parseAllowList } from '@sluice/egress';
import type { CheckEndpointRequest } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { createUpstream, type Upstream } from '@sluice/providers';
import { type Simulator, startSimulator } from '@sluice/simulator';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { checkEndpoint } from '../../private-endpoints/check-endpoint.ts';
import { checkNames } from '../../private-endpoints/checks.ts';
import { isNamedAs, type Patience, usualPatience } from '../../private-endpoints/try-call.ts';
import { inMemoryCredentials } from '../../testing/in-memory-credentials.ts';

const catalogFile = `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: 'https://shared.example/v1' }
  - { slug: own, name: Own, dialect: openai-chat, base_url: 'https://shared.example/v1' }
models:
  - id: acme/large
    canonical_slug: acme/large-2026
    endpoints:
      - { provider: openai, upstream_model: large, pricing: { prompt: '0', completion: '0' } }
  - id: acme/vectors
    endpoints:
      - { provider: own, upstream_model: v, output_modalities: [embeddings], pricing: { prompt: '0', completion: '0' } }
`;
const secret = 'sk-canary-of-the-customer';

/** An upstream of chat completions. Whole and streamed answers are set apart. */
type Answer = (response: ServerResponse) => void;
const answers: { whole: Answer; streamed: Answer } = { whole: () => {}, streamed: () => {} };
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
const wholeOf =
  (model: string, more: object = { usage }): Answer =>
  (response) => {
    const message = { role: 'assistant', content: 'Hello' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const body = { id: 'c1', object: 'chat.completion', created: 1, model, choices, ...more };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const streamOf =
  (model: string, more: object = { usage }): Answer =>
  (response) => {
    const base = { id: 'c1', object: 'chat.completion.chunk', created: 1, model };
    const events = [
      { ...base, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
      { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...more },
    ];
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${text}data: [DONE]\n\n`);
  };
const failing =
  (status: number, message: string): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message } }));

let simulator: Simulator;
let folder: string;
let upstream: Upstream;
let ownUrl: string;
const route = createCheckedRoute({ allowList: parseAllowList('127.0.0.1') });
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.once('end', () => {
    const { stream } = JSON.parse(body) as { stream?: boolean };
    answers[stream ? 'streamed' : 'whole'](response);
  });
});
const credentials = inMemoryCredentials();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'endpoint-checks-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  upstream = createUpstream({ connectPrivate: route.connect });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ownUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
});
afterAll(async () => {
  await upstream.stop();
  await simulator.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  credentials.kept.clear();
  for (const provider of ['openai', 'own'])
    credentials.kept.set(`of-${provider}`, { provider, secret });
  answers.whole = wholeOf('ours');
  answers.streamed = streamOf('ours');
});

async function check(more: Partial<CheckEndpointRequest>, patience?: Patience) {
  const catalog = loadCatalog({
    simulatorUrl: undefined,
    file: catalogFile,
    settings: () => undefined,
  });
  const asked = {
    accountId: 'account',
    workspaceId: 'workspace',
    requestId: 'req-1',
    modelPermaslug: 'acme/large-2026',
    provider: 'openai',
    upstreamModelId: 'ours',
    baseUrl: simulator.url,
    ...more,
  };
  const deps = { catalog, credentials, upstream, addresses: route, ...(patience && { patience }) };
  const found = await checkEndpoint(deps, asked);
  deepEqual(
    found.checks.map(({ name }) => name),
    checkNames,
  );
  ok(!JSON.stringify(found).includes(secret));
  return found;
}
/** The passed checks, and the first one that failed with all that is told of it. */
async function outcome(more: Partial<CheckEndpointRequest>) {
  const { checks } = await check(more);
  const failed = checks.find(({ passed }) => !passed);
  const passedCount = checks.filter(({ passed }) => passed).length;
  equal(
    checks.findIndex(({ passed }) => !passed),
    failed ? passedCount : -1,
  );
  const reasons = checks.filter(({ reason }) => reason !== '');
  equal(reasons.length, failed ? 1 : 0);
  return failed && [failed.name, failed.reason, failed.upstreamStatus, failed.upstreamMessage];
}
const own = () => ({ provider: 'own', baseUrl: ownUrl });

describe('the checks of an upstream', () => {
  test('pass, whole and streamed, and name the credential', async () => {
    const { checks, credentialId, secretId } = await check({});
    deepEqual(
      checks.map(({ passed }) => passed),
      checkNames.map(() => true),
    );
    deepEqual([credentialId, secretId], ['of-openai', 'of-openai']);
    equal(checks.at(-1)?.actualModel, 'ours');
    equal(await outcome(own()), undefined);
  });

  test.each([
    [{ modelPermaslug: 'acme/none' }, 'model_not_found'],
    [{ provider: 'nobody' }, 'provider_not_found'],
    [{ baseUrl: 'https://10.0.0.1/v1' }, 'invalid_base_url'],
    [{ baseUrl: 'https://169.254.169.254/v1' }, 'invalid_base_url'],
    [{ baseUrl: 'https://[::1]/v1' }, 'invalid_base_url'],
    [{ baseUrl: 'http://203.0.113.7/v1' }, 'invalid_base_url'],
    [{ baseUrl: undefined }, 'invalid_base_url'],
  ])('config_ok fails for %j: %s', async (more, reason) => {
    deepEqual((await outcome(more))?.slice(0, 2), ['config_ok', reason]);
  });

  test('credential_ok fails without a credential that can be used', async () => {
    const reason = async () => (await outcome({}))?.slice(0, 2);
    credentials.kept.set('of-openai', { provider: 'openai', secret, isUnreadable: true });
    deepEqual(await reason(), ['credential_ok', 'key_decryption_failed']);
    const allowedModels = { values: ['acme/other'] };
    credentials.kept.set('of-openai', { provider: 'openai', secret, allowedModels });
    deepEqual(await reason(), ['credential_ok', 'no_byok_key']);
    credentials.kept.delete('of-openai');
    deepEqual(await reason(), ['credential_ok', 'no_byok_key']);
  });

  test.each([401, 403])('auth_ok fails when the upstream answers %i', async (status) => {
    answers.whole = failing(status, 'no entry');
    deepEqual(await outcome(own()), ['auth_ok', 'upstream_error', status, 'no entry']);
    answers.whole = failing(status, `the key ${secret} is wrong`);
    const [, , told, message] = (await outcome(own())) ?? [];
    equal(told, status);
    ok(message !== undefined && !String(message).includes(secret));
  });

  test('auth_ok is not made when the upstream fails or is not there', async () => {
    answers.whole = failing(500, 'broken');
    const { checks } = await check(own());
    const byName = new Map(checks.map((one) => [one.name, one]));
    deepEqual([byName.get('auth_ok')?.passed, byName.get('auth_ok')?.reason], [false, '']);
    const failed = byName.get('response_ok');
    deepEqual(
      [failed?.reason, failed?.upstreamStatus, failed?.upstreamMessage],
      ['upstream_error', 500, 'broken'],
    );
    const gone = (await check({ ...own(), baseUrl: 'http://127.0.0.1:1/v1' })).checks;
    equal(gone.find(({ name }) => name === 'response_ok')?.reason, 'upstream_error');
  });

  const answerless: readonly (readonly [string, Answer])[] = [
    ['garbage', (response) => response.writeHead(200).end('<html>')],
    ['nothing', wholeOf('ours', { choices: [], usage })],
    ['a cut answer', (response) => response.writeHead(200).write('{', () => response.destroy())],
    ['a long answer', (response) => response.writeHead(200).end('x'.repeat(1_000_000))],
  ];
  test.each(answerless)('response_ok fails for %s', async (_what, whole) => {
    answers.whole = whole;
    const { checks } = await check(own());
    equal(checks.find(({ name }) => name === 'response_ok')?.reason, 'invalid_response');
  });

  const drip = (response: ServerResponse, text: string) => {
    const timer = setInterval(() => response.write(text), 20);
    response.once('close', () => clearInterval(timer));
  };
  test.each<[string, Answer]>([
    ['never answers', () => {}],
    ['never ends its headers', (response) => response.writeProcessing()],
    ['never ends its answer', (response) => drip(response.writeHead(200), ' ')],
  ])('response_ok fails for an upstream that %s', async (_what, whole) => {
    answers.whole = whole;
    const patience = { ...usualPatience, totalMs: 300 };
    const { checks } = await check(own(), patience);
    const failed = checks.find(({ name }) => name === 'response_ok');
    deepEqual(
      [failed?.reason, failed?.upstreamMessage],
      ['upstream_error', 'The upstream did not answer in time'],
    );
  });

  const streamless: readonly [string, Answer, string, number | undefined][] = [
    ['no stream', wholeOf('ours'), 'invalid_stream', undefined],
    [
      'garbage',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('}{'),
      'invalid_stream',
      undefined,
    ],
    ['a refusal', failing(400, 'no streams'), 'upstream_error', 400],
  ];
  test.each(streamless)('stream_ok fails for %s', async (_what, streamed, reason, status) => {
    answers.streamed = streamed;
    deepEqual((await outcome(own()))?.slice(0, 3), ['stream_ok', reason, status]);
  });

  test('usage_ok fails without counts, whole or streamed', async () => {
    answers.streamed = streamOf('ours', {});
    deepEqual((await outcome(own()))?.slice(0, 2), ['usage_ok', 'missing_usage']);
    answers.streamed = streamOf('ours');
    answers.whole = wholeOf('ours', {});
    deepEqual((await outcome(own()))?.slice(0, 2), ['usage_ok', 'missing_usage']);
  });

  test('model_ok fails when another model answers, and names it', async () => {
    answers.whole = wholeOf('another-model');
    const { checks } = await check(own());
    const { passed, reason, actualModel } = checks.at(-1) ?? {};
    deepEqual([passed, reason, actualModel], [false, 'model_mismatch', 'another-model']);
  });

  test('are made with vectors where the model makes them', async () => {
    const more = { modelPermaslug: 'acme/vectors', upstreamModelId: 'embedding' };
    equal(await outcome({ ...more, provider: 'own', baseUrl: simulator.url }), undefined);
  });
});

test.each([
  ['gpt-4o-2024-11-20', 'gpt-4o', true],
  ['gpt-4o', 'openai/gpt-4o-2024-11-20', true],
  ['/models/llama-3', 'llama-3', true],
  ['claude-sonnet-4@20250514', 'claude-sonnet-4', true],
  ['gpt-4o-mini', 'gpt-4o', false],
  ['gpt-4o', 'gpt-4o-mini', false],
  ['llama3:70b', 'llama3:8b', false],
  ['', 'gpt-4o', false],
])('a model that calls itself %j is taken for %j: %s', (actual, wanted, isOne) => {
  equal(isNamedAs(actual, [wanted]), isOne);
});
