import { deepEqual, equal } from 'node:assert/strict';
import { catalog, Fault } from '@sluice/errors';
import { type Contents, encodeContents } from '@sluice/generation-contents';
import { describe, test } from 'vitest';
import type { ObserverCalls } from '../../clients/calls.ts';
import {
  gatewayWorld,
  organizationId,
  personalId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const id = 'gen-0190a000-0000-7000-8000-0000000000aa';
const counted = {
  generationId: id,
  requestId: 'req-1',
  workspaceId,
  model: 'sim/echo',
  provider: 'simulator',
  endpointId: '7d444840-9dc0-51d1-b245-5ffdce74fad2',
  upstreamId: 'resp_1',
  inputTokens: 1_200n,
  cachedTokens: 1_000n,
  outputTokens: 85n,
  reasoningTokens: 20n,
  costNanoUsd: 1_234_500n,
  cacheDiscountNanoUsd: -250n,
  streamed: true,
  outcome: 'completed',
  finishReason: 'tool-calls',
  nativeFinishReason: 'tool_use',
  admittedAt: '2026-11-20T12:00:00.000Z',
  completedAt: '2026-11-20T12:00:02.500Z',
  latencyMs: 412n,
  externalUser: 'customer-7',
  sessionId: 's-1',
  httpReferer: 'https://app.example.com/chat?x=1',
  userAgent: 'app/1',
  appTitle: 'My app',
  appCategories: ['cli-agent'],
  guardrailInvoked: true,
  moderationLatencyMs: 12n,
  apiType: '',
  app: 'My app',
  serviceTier: 'flex',
  inputMedia: 3n,
  inputAudio: 1n,
  outputMedia: 2n,
  imageOutputTokens: 7n,
  trace: '{"trace_id":"t-1","tenant":{"name":"north"}}',
  attempts: [
    {
      provider: 'away',
      endpointId: '',
      errorCode: 'unavailable',
      latencyMs: 12n,
      isByok: true,
      turn: 1,
      upstreamId: '',
      serviceTier: '',
    },
    {
      provider: 'simulator',
      endpointId: 'e-1',
      errorCode: '',
      latencyMs: 400n,
      isByok: false,
      turn: 1,
      upstreamId: 'resp_1',
      serviceTier: 'flex',
    },
  ],
};
const path = `GET /v1/generation?id=${id}`;
type Data = Record<string, unknown>;

async function worldWith(generation: object = counted) {
  const world = await gatewayWorld();
  world.ledger.usage.generated(organizationId, generation);
  return world;
}

describe('GET /v1/generation', () => {
  test('shows what became of a generation, to both kinds of key', async () => {
    const { request, regular, management } = await worldWith();
    const { status, json } = await request(path, { key: regular().secret });
    equal(status, 200);
    const { provider_responses: attempts, ...data } = json['data'] as Data;
    deepEqual(data, {
      id,
      request_id: 'req-1',
      session_id: 's-1',
      created_at: '2026-11-20T12:00:00.000Z',
      api_type: 'completions',
      model: 'sim/echo',
      router: null,
      routing: null,
      trace: { trace_id: 't-1', tenant: { name: 'north' } },
      preset_id: null,
      provider_name: 'simulator',
      streamed: true,
      cancelled: false,
      is_byok: false,
      latency: 412,
      generation_time: 2_500,
      moderation_latency: 12,
      finish_reason: 'tool_calls',
      native_finish_reason: 'tool_use',
      tokens_prompt: 1_200,
      tokens_completion: 85,
      native_tokens_prompt: 1_200,
      native_tokens_completion: 85,
      native_tokens_completion_images: 7,
      native_tokens_reasoning: 20,
      native_tokens_cached: 1_000,
      num_media_prompt: 3,
      num_media_completion: 2,
      num_input_audio_prompt: 1,
      turns: [],
      tool_calls: [],
      num_search_results: null,
      num_fetches: null,
      usage: 0.0012345,
      total_cost: 0.0012345,
      upstream_inference_cost: null,
      cache_discount: -0.000_000_25,
      data_discount: null,
      service_tier: 'flex',
      web_search_engine: null,
      data_region: 'global',
      app_id: null,
      origin: 'https://app.example.com',
      http_referer: 'https://app.example.com/chat?x=1',
      user_agent: 'app/1',
      app: 'My app',
      app_title: 'My app',
      app_categories: ['cli-agent'],
      guardrail_invoked: true,
      external_user: 'customer-7',
      upstream_id: 'resp_1',
      response_cache_source_id: null,
      workspace_id: workspaceId,
    });
    deepEqual(
      (attempts as Data[]).map((one) => [
        one['id'],
        one['provider_name'],
        one['status'],
        one['latency'],
        one['is_byok'],
      ]),
      [
        [null, 'away', 503, 12, true],
        ['resp_1', 'simulator', 200, 400, false],
      ],
    );
    equal((await request(path, { key: management().secret })).status, 200);
  });

  test('shows the choice of a router with its evidence, whatever the router keeps', async () => {
    const kept = {
      requested: ['service/free'],
      strategy: 'free',
      candidates: [{ endpoint_id: 'e-1', model: 'sim/echo', provider: 'openai', tag: 'openai' }],
      excluded: [{ endpoint_id: 'e-2', filter: 'router' }],
      order: [{ endpoint_id: 'e-1', reason: 'load balancing' }],
      router: {
        slug: 'service/free',
        summary: 'chose sim/echo by chance among 1',
        data: {
          seed: '7',
          candidates: [{ model: 'sim/echo', chance: 0.25 }],
          excluded: { cannot_serve: 2 },
        },
        is_cut: true,
      },
    };
    const { request, regular } = await worldWith({ ...counted, routing: JSON.stringify(kept) });
    const { json } = await request(path, { key: regular().secret });
    const data = json['data'] as Data;
    equal(data['router'], 'service/free');
    deepEqual(data['routing'], kept);
  });

  test('names the kind of the call', async () => {
    const { request, regular } = await worldWith({ ...counted, apiType: 'embeddings' });
    const { json } = await request(path, { key: regular().secret });
    equal((json['data'] as Data)['api_type'], 'embeddings');
  });

  test('does not call an estimate a native count, nor a failure or a crash an end', async () => {
    const interrupted = { ...counted, estimated: true, outcome: 'interrupted', finishReason: '' };
    const world = await worldWith({ ...interrupted, latencyMs: undefined, attempts: [] });
    const { json } = await world.request(path, { key: world.regular().secret });
    const data = json['data'] as Data;
    deepEqual(
      [data['tokens_completion'], data['native_tokens_completion'], data['native_tokens_cached']],
      [85, null, null],
    );
    deepEqual(
      [data['latency'], data['generation_time'], data['finish_reason'], data['provider_responses']],
      [null, null, null, null],
    );
    world.ledger.usage.generated(organizationId, { ...counted, outcome: 'failed' });
    const failed = (await world.request(path, { key: world.regular().secret })).json[
      'data'
    ] as Data;
    deepEqual([failed['finish_reason'], failed['cancelled']], ['error', false]);
  });

  test('takes nothing of the credits when an own provider key paid', async () => {
    const { request, regular } = await worldWith({ ...counted, isByok: true });
    const data = (await request(path, { key: regular().secret })).json['data'] as Data;
    deepEqual(
      [data['usage'], data['total_cost'], data['upstream_inference_cost'], data['is_byok']],
      [0, 0, 0.0012345, true],
    );
  });

  test('adds up what credits paid where an own provider key paid for one of two turns', async () => {
    const mixed = { ...counted, costNanoUsd: 5_000n, byokNanoUsd: 3_000n, feeNanoUsd: 150n };
    const { request, regular } = await worldWith(mixed);
    const data = (await request(path, { key: regular().secret })).json['data'] as Data;
    deepEqual(
      [data['usage'], data['total_cost'], data['upstream_inference_cost'], data['is_byok']],
      [0.00000215, 0.00000215, 0.000003, false],
    );
  });

  test('tells turns and calls of tools with their times, costs and outcomes', async () => {
    const at = { admittedAt: '2026-11-20T12:00:01.000Z', completedAt: '2026-11-20T12:00:01.300Z' };
    const turn = {
      ...at,
      turn: 2,
      model: 'sim/echo',
      provider: 'simulator',
      outcome: 'completed',
      finishReason: 'tool-calls',
      latencyMs: 40n,
      inputTokens: 6n,
      outputTokens: 3n,
      costNanoUsd: 22_000n,
      feeNanoUsd: 1_100n,
      isByok: true,
    };
    const call = {
      ...at,
      number: 1,
      toolType: 'service:web_search',
      engine: 'exa',
      outcome: 'completed',
      latencyMs: 300n,
      costNanoUsd: 7_000_000n,
      isByok: false,
      counts: { searches: 1n, searchResults: 5n },
    };
    const own = { ...call, number: 2, isByok: true, costNanoUsd: 5_000n };
    const fetched = {
      ...call,
      number: 3,
      toolType: 'service:web_fetch',
      engine: '',
      outcome: 'interrupted',
      latencyMs: undefined,
      costNanoUsd: 0n,
      counts: { fetches: 1n },
    };
    const { request, regular } = await worldWith({
      ...counted,
      costNanoUsd: 7_027_000n,
      byokNanoUsd: 27_000n,
      feeNanoUsd: 1_100n,
      turns: [turn],
      toolCalls: [call, own, fetched],
    });
    const data = (await request(path, { key: regular().secret })).json['data'] as Data;
    deepEqual(data['turns'], [
      {
        turn: 2,
        model: 'sim/echo',
        provider_name: 'simulator',
        status: 'completed',
        finish_reason: 'tool_calls',
        created_at: at.admittedAt,
        latency: 40,
        generation_time: 300,
        tokens_prompt: 6,
        tokens_completion: 3,
        cost: 0.0000011,
        is_byok: true,
      },
    ]);
    const shown = {
      number: 1,
      type: 'service:web_search',
      engine: 'exa',
      status: 'completed',
      created_at: at.admittedAt,
      latency: 300,
      cost: 0.007,
      is_byok: false,
      counts: { searches: 1, searchResults: 5 },
    };
    deepEqual(data['tool_calls'], [
      shown,
      { ...shown, number: 2, cost: 0, is_byok: true },
      {
        ...shown,
        number: 3,
        type: 'service:web_fetch',
        engine: null,
        status: 'interrupted',
        latency: null,
        cost: 0,
        counts: { fetches: 1 },
      },
    ]);
    deepEqual(
      [data['num_search_results'], data['num_fetches'], data['web_search_engine']],
      [10, 1, 'exa'],
    );
    // The own key of the engine pays for no inference.
    deepEqual([data['total_cost'], data['upstream_inference_cost']], [0.0070011, 0.000022]);
  });

  test("is 404 for another account's, an unknown and a malformed id", async () => {
    const { request, ledger, regular } = await gatewayWorld();
    ledger.usage.generated(personalId, counted);
    const key = regular().secret;
    for (const asked of [id, 'gen-1', 'x', '%00', 'a'.repeat(2_000)])
      equal((await request(`GET /v1/generation?id=${asked}`, { key })).status, 404, asked);
  });

  test('refuses a query without an id and with anything else', async () => {
    const { request, regular } = await worldWith();
    const key = regular().secret;
    for (const query of ['', '?id=', `?id=${id}&id=gen-2`, `?id=${id}&model=x`])
      equal((await request(`GET /v1/generation${query}`, { key })).status, 400, query);
  });
});

describe('GET /v1/generation/content', () => {
  type Asked = Parameters<ObserverCalls['getContents']>[0];
  const contents = {
    system: [{ type: 'text' as const, content: 'Be brief.' }],
    input: [
      { role: 'user' as const, parts: [{ type: 'text' as const, content: 'Hello' }] },
      {
        role: 'user' as const,
        parts: [
          { type: 'text' as const, content: 'Look' },
          { type: 'uri' as const, modality: 'image' as const, uri: 'https://a.example/b.png' },
          { type: 'omitted_media' as const, modality: 'audio' as const, mime_type: 'audio/wav' },
        ],
      },
      {
        role: 'assistant' as const,
        parts: [
          { type: 'tool_call' as const, id: 'c1', name: 'weather', arguments: '{"city":"Bonn"}' },
        ],
      },
      {
        role: 'tool' as const,
        parts: [{ type: 'tool_call_response' as const, id: 'c1', response: 'rain' }],
      },
    ],
    output: [
      { role: 'assistant' as const, parts: [{ type: 'reasoning' as const, content: 'Hm.' }] },
      { role: 'assistant' as const, parts: [{ type: 'text' as const, content: 'It rains.' }] },
    ],
    tools: [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' } }],
    isCut: false,
  };

  /** A gateway whose observer has these contents, or answers with an error. */
  async function worldWithContents(stored: Contents | Fault) {
    const asked: Asked[] = [];
    const observer = {
      getContents: async (request: Asked) => {
        asked.push(request);
        if (stored instanceof Fault) throw stored;
        return { contents: Buffer.from(encodeContents(stored)) };
      },
    } as unknown as ObserverCalls;
    const world = await gatewayWorld({ observer });
    const ask = (key: string) => world.request(`GET /v1/generation/content?id=${id}`, { key });
    return { ...world, ask, asked };
  }

  test('shows the messages and the answer in the words of chat completions', async () => {
    const { ask, regular } = await worldWithContents(contents);
    const { status, json } = await ask(regular().secret);
    equal(status, 200);
    const call = { name: 'weather', arguments: '{"city":"Bonn"}' };
    deepEqual(json['data'], {
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
              { type: 'omitted_media', modality: 'audio', mime_type: 'audio/wav' },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: call }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        ],
        tools: [
          { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
        ],
      },
      output: { completion: 'It rains.', reasoning: 'Hm.' },
      error: null,
      is_truncated: false,
    });
  });

  test('shows what failed, with the attempts before', async () => {
    const { ask, regular } = await worldWithContents({
      ...contents,
      output: [],
      isCut: true,
      error: {
        code: 'provider_overloaded',
        message: 'Too busy',
        provider: 'b',
        previous: [
          { code: 'provider_timeout', provider: 'a' },
          { code: 'provider_unavailable', provider: '', status: 500 },
        ],
      },
    });
    const data = (await ask(regular().secret)).json['data'] as Data;
    deepEqual(data['output'], { completion: null, reasoning: null });
    equal(data['is_truncated'], true);
    deepEqual(data['error'], {
      message: 'Too busy',
      status: catalog.provider_overloaded.http,
      provider_name: 'b',
      raw: null,
      previous_errors: [
        {
          code: catalog.provider_timeout.http,
          message: catalog.provider_timeout.message,
          provider_name: 'a',
          raw: null,
        },
        {
          code: 500,
          message: catalog.provider_unavailable.message,
          provider_name: null,
          raw: null,
        },
      ],
    });
  });

  test('tells the observer who asks: a management key reads all of its account', async () => {
    const { ask, asked, regular, management } = await worldWithContents(contents);
    await ask(regular({ creatorUserId: 'ann' }).secret);
    await ask(regular().secret);
    await ask(management({ creatorUserId: 'ann' }).secret);
    await ask(regular({ accountId: personalId }).secret);
    const common = { accountId: organizationId, generationId: id };
    deepEqual(asked, [
      { ...common, reader: { workspaceId, userId: 'ann' } },
      { ...common, reader: { workspaceId, userId: '' } },
      { ...common, reader: undefined },
      { accountId: personalId, generationId: id, reader: asked[3]?.reader },
    ]);
  });

  test('is 404 with a reason where nothing is stored, and 403 for contents of others', async () => {
    const missing = await worldWithContents(new Fault('not_found'));
    const answer = await missing.ask(missing.regular().secret);
    equal(answer.status, 404);
    deepEqual(answer.json['error'], {
      code: 404,
      message: 'No content of this generation is stored',
      metadata: { error_type: 'not_found', reason: 'content_not_stored' },
    });
    const foreign = await worldWithContents(new Fault('permission_denied'));
    equal((await foreign.ask(foreign.regular().secret)).status, 403);
    const { secret: key } = missing.regular();
    equal((await missing.request('GET /v1/generation/content', { key })).status, 400);
    equal((await missing.request(`GET /v1/generation/content?id=${id}`)).status, 401);
  });

  test('is 503 where there is no observer', async () => {
    const { request, regular } = await gatewayWorld();
    const key = regular().secret;
    equal((await request(`GET /v1/generation/content?id=${id}`, { key })).status, 503);
  });
});

describe('POST /v1/generation/feedback', () => {
  const post = 'POST /v1/generation/feedback';
  const body = { generation_id: id, category: 'latency', comment: 'Slow.\nVery slow.' };

  test('is kept for the account of the key, each time it is given', async () => {
    const { request, ledger, management } = await worldWith();
    const { key, secret } = management();
    const sent = {
      accountId: organizationId,
      generationId: id,
      keyHash: key.hash,
      feedbackId: '',
    };
    const { status, json } = await request(post, { key: secret, body });
    equal(status, 200);
    deepEqual(json, { data: { success: true } });
    await request(post, { key: secret, body: { generation_id: id, category: 'other' } });
    deepEqual(
      ledger.usage.feedback.map((given) => ({ ...given, feedbackId: '' })),
      [
        { ...sent, category: 'latency', comment: body.comment },
        { ...sent, category: 'other', comment: '' },
      ],
    );
  });

  test('is kept once for the same Idempotency-Key', async () => {
    const { request, ledger, management } = await worldWith();
    const again = { key: management().secret, body, headers: { 'idempotency-key': 'abc' } };
    equal((await request(post, again)).status, 200);
    equal((await request(post, again)).status, 200);
    equal(ledger.usage.feedback.length, 1);
  });

  test("is 404 about another account's generation and about none", async () => {
    const { request, ledger, management } = await gatewayWorld();
    ledger.usage.generated(personalId, counted);
    const key = management().secret;
    equal((await request(post, { key, body })).status, 404);
    equal((await request(post, { key, body: { ...body, generation_id: 'x' } })).status, 404);
    deepEqual(ledger.usage.feedback, []);
  });

  test.each([
    {},
    { generation_id: id },
    { category: 'latency' },
    { ...body, generation_id: '' },
    { ...body, generation_id: 7 },
    { ...body, generation_id: 'gen-\0' },
    { ...body, category: 'price' },
    { ...body, comment: 'c'.repeat(1_001) },
    { ...body, comment: 'a\0b' },
    { ...body, comment: null },
    { ...body, rating: 5 },
  ])('is refused when it is %o', async (wrong) => {
    const { request, ledger, management } = await worldWith();
    equal((await request(post, { key: management().secret, body: wrong })).status, 400);
    deepEqual(ledger.usage.feedback, []);
  });

  test('is refused to a regular key', async () => {
    const { request, regular } = await worldWith();
    equal((await request(post, { key: regular().secret, body })).status, 403);
  });
});
