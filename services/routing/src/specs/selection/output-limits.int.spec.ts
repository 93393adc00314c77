import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'vitest';
import {
  errorOf,
  eventsOf,
  responseOf,
  routingHarness,
  somebody,
  type RoutingHarness,
  type SeenEvent,
  type SeenResponse,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeEach(async () => {
  routing = await routingHarness();
});
afterEach(() => routing.stop());

const dollar = 1_000_000_000n;
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'] as const;
/** The output limit of the simulator's models, and the price of an output token. */
const modelMax = 16_384;
const outputNanoUsd = 2_000n;

interface LimitedResponse extends SeenResponse {
  readonly reasoning: { readonly effort: string | null } | null;
  readonly service_metadata?: { readonly params?: Readonly<Record<string, unknown>> };
}
interface Debugged extends SeenEvent {
  readonly debug: { readonly echo_upstream_body: UpstreamBody };
}
interface UpstreamBody {
  readonly max_output_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
  readonly thinking?: { readonly budget_tokens: number };
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly thinkingConfig?: { readonly thinkingBudget: number };
  };
}

/** Returns the body that the upstream was sent, and the end of its answer. */
async function sent(body: object, principal = somebody) {
  const debug = { echo_upstream_body: true };
  const reply = await routing.call({ input: 'hi', stream: true, debug, ...body }, { principal });
  if (reply.status !== 200) throw new Error((await errorOf(reply)).message);
  const events = await eventsOf(reply);
  const debugged = events.find((event): event is Debugged => event.type === 'response.debug');
  const upstream = debugged?.debug.echo_upstream_body ?? {};
  const { generationConfig: gemini } = upstream;
  return {
    limit:
      upstream.max_output_tokens ??
      upstream.max_completion_tokens ??
      upstream.max_tokens ??
      gemini?.maxOutputTokens,
    thinking: upstream.thinking?.budget_tokens ?? gemini?.thinkingConfig?.thinkingBudget,
    response: events.at(-1)?.response as LimitedResponse,
  };
}

describe.each(models)('%s, asked without an output limit,', (model) => {
  test('writes as much as it can, and the response repeats no limit', async () => {
    const { limit, response } = await sent({ model, input: '[sim:words-9000]' });
    equal(limit, modelMax);
    equal(response.status, 'completed');
    equal(response.max_output_tokens, null);
    equal(response.service_metadata, undefined);
    ok((response.usage?.output_tokens ?? 0) > 8_192);
  });

  test('writes what a small budget holds, and reports the limit unasked', async () => {
    const limitNanoUsd = 1_000n * outputNanoUsd;
    const principal = { ...somebody, limitNanoUsd };
    const { limit = 0, response } = await sent({ model, input: '[sim:words-9000]' }, principal);
    ok(limit > 800 && limit < 1_000, `${limit}`);
    equal(response.status, 'incomplete');
    equal(response.max_output_tokens, null);
    deepEqual(response.service_metadata?.params, {
      max_output_tokens: limit,
      max_output_tokens_limited_by: 'budget',
    });
    ok((response.usage?.cost ?? 1) * 1e9 <= Number(limitNanoUsd));
  });

  test('says so in an answer that is not streamed, too', async () => {
    const principal = { ...somebody, limitNanoUsd: dollar / 1_000n };
    const reply = await routing.call({ model, input: 'hi' }, { principal });
    const { service_metadata, status } = (await responseOf(reply)) as LimitedResponse;
    equal(status, 'completed');
    equal(service_metadata?.params?.['max_output_tokens_limited_by'], 'budget');
  });
});

describe('requests at once that name no output limit', () => {
  test('share a small budget: none of them takes it all', async () => {
    const principal = { ...somebody, limitNanoUsd: 10_000n * outputNanoUsd };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        sent({ model: 'sim/echo', input: `[sim:wait-300] ${index}` }, principal),
      ),
    );
    const limits = answers.map(({ limit = 0 }) => limit);
    ok(
      limits.every((limit) => limit >= 256 && limit <= 5_000),
      String(limits),
    );
    ok(answers.every(({ response }) => response.status === 'completed'));
  });

  test('take all that their model gives while that is little of what is left', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sent({ model: 'sim/echo', input: '[sim:wait-100]' })),
    );
    deepEqual([...new Set(answers.map(({ limit }) => limit))], [modelMax]);
  });
});

describe('a model of which the catalog knows no output limit', () => {
  const catalogFile = (url: string) => `
    providers:
      - { slug: own, name: Own, dialect: openai-responses, base_url: '${url}' }
      - { slug: chat, name: Chat, dialect: openai-chat, base_url: '${url}' }
      - { slug: gem, name: Gem, dialect: google-gemini, base_url: '${url}' }
      - { slug: claude, name: Claude, dialect: anthropic-messages, base_url: '${url}' }
    models:
${['own', 'chat', 'gem', 'claude']
  .map(
    (provider) =>
      `      - { id: ${provider}/m, provider: ${provider}, upstream_model: echo, context_length: 50000, pricing: { prompt: '0.000001', completion: '0.000002' } }`,
  )
  .join('\n')}`;

  test('is sent none where the dialect needs none; its context is held', async () => {
    await routing.stop();
    routing = await routingHarness({ catalogFile });
    for (const provider of ['own', 'chat', 'gem']) {
      const { limit, response } = await sent({ model: `${provider}/m` });
      equal(limit, undefined);
      equal(response.service_metadata, undefined);
    }
    const { limit, response } = await sent({ model: 'claude/m' });
    equal(limit, 4_096);
    deepEqual(response.service_metadata?.params, {
      max_output_tokens: 4_096,
      max_output_tokens_limited_by: 'dialect',
    });
    const body = { model: 'claude/m', input: 'a', reasoning: { max_tokens: 8_000 } };
    equal((await routing.call(body)).status, 400);
    const thinking = await sent({ ...body, max_output_tokens: 12_000 });
    deepEqual([thinking.limit, thinking.thinking], [12_000, 8_000]);
    ok(routing.ledger.facts.every(({ holdNanoUsd }) => holdNanoUsd >= 4_096n * outputNanoUsd));
  });
});

describe('an output limit above what an endpoint gives', () => {
  test.each(models)('leaves nobody of %s: 404 that names the most', async (model) => {
    const reply = await routing.call({ model, input: 'hi', max_output_tokens: modelMax + 1 });
    equal(reply.status, 404);
    const { message, availability } = await errorOf(reply);
    ok(message.includes('max_output_tokens is 16384 at most'), message);
    deepEqual(
      [availability?.['code'], availability?.['excluded_by'], availability?.['constraint']],
      [
        'constraint_filtered',
        ['context_length'],
        { field: 'max_output_tokens', detail: '16384 at most' },
      ],
    );
    equal((await routing.receipts()).length, 0);
  });

  test.each(models)('is not above it at the most of %s itself', async (model) => {
    const { limit, response } = await sent({ model, max_output_tokens: modelMax });
    deepEqual([limit, response.max_output_tokens], [modelMax, modelMax]);
  });

  test('removes that endpoint and leaves those that give more', async () => {
    await routing.stop();
    routing = await routingHarness({
      catalogFile: (url) => `
        providers: [{ slug: small, name: S, dialect: openai-responses, base_url: '${url}' }, { slug: large, name: L, dialect: openai-chat, base_url: '${url}' }]
        models:
          - { id: both/m, endpoints: [
              { provider: small, upstream_model: echo, max_output_tokens: 100, pricing: { prompt: '0', completion: '0' } },
              { provider: large, upstream_model: echo, max_output_tokens: 1000, pricing: { prompt: '0.000001', completion: '0.000002' } } ] }`,
    });
    const client = { wantsMetadata: true } as const;
    const served = async (max_output_tokens: number) => {
      const body = { model: 'both/m', input: 'hi', max_output_tokens };
      const reply = await routing.call(body, { client });
      const { service_metadata: metadata } = (await responseOf(reply)) as SeenResponse & {
        service_metadata: { endpoints: { available: { provider: string }[] } };
      };
      return metadata.endpoints.available.map(({ provider }) => provider).toSorted();
    };
    deepEqual(await served(100), ['large', 'small']);
    deepEqual(await served(101), ['large']);
  });
});

describe('a thinking budget', () => {
  test.each(['sim/messages', 'sim/gemini'])(
    'of %s leaves all of the rest for the answer',
    async (model) => {
      const { limit, thinking, response } = await sent({
        model,
        input: '[sim:words-5000]',
        reasoning: { max_tokens: 8_000 },
      });
      deepEqual([limit, thinking, response.status], [modelMax, 8_000, 'completed']);
    },
  );

  test.each([
    ['sim/messages', 1_000],
    ['sim/messages', 8_000],
    ['sim/gemini', 8_000],
  ])('of %s that fills an output limit of %i is refused by name', async (model, max) => {
    const reasoning = { max_tokens: 8_000 };
    const reply = await routing.call({ model, input: 'a', reasoning, max_output_tokens: max });
    equal(reply.status, 400);
    const { message } = await errorOf(reply);
    ok(message.startsWith('Invalid request: reasoning.max_tokens: '), message);
    ok(message.includes(`${max} tokens`), message);
    equal((await routing.receipts()).length, 0);
  });

  test('that fills what the model gives is refused, too', async () => {
    const reasoning = { max_tokens: modelMax };
    const reply = await routing.call({ model: 'sim/messages', input: 'a', reasoning });
    equal(reply.status, 400);
  });

  test('that a small budget cannot hold beside an answer is a 402, not a smaller one', async () => {
    const principal = { ...somebody, limitNanoUsd: 8_000n * outputNanoUsd };
    const body = { model: 'sim/messages', input: 'a', reasoning: { max_tokens: 8_000 } };
    const reply = await routing.call(body, { principal });
    equal(reply.status, 402);
    const enough = { ...somebody, keyHash: 'other', limitNanoUsd: 9_000n * outputNanoUsd };
    const { limit = 0, thinking } = await sent(body, enough);
    equal(thinking, 8_000);
    ok(limit > 8_200 && limit < 9_000, `${limit}`);
  });
});

describe('an effort that cannot be had', () => {
  const tools = [{ type: 'function', name: 'f', parameters: {} }];
  test.each<[string, object]>([
    ['in a small output limit', { max_output_tokens: 1_000 }],
    ['beside a forced tool', { tools, tool_choice: 'required' }],
  ])('%s is reported in the response', async (_, fields) => {
    const body = { model: 'sim/messages', reasoning: { effort: 'high' }, ...fields };
    const { thinking, response } = await sent(body);
    equal(thinking, undefined);
    equal(response.reasoning?.effort, 'none');
  });

  test('is repeated as it was asked for where it can be had', async () => {
    for (const model of models) {
      const body = { model, reasoning: { effort: 'high' }, max_output_tokens: 2_000 };
      equal((await sent(body)).response.reasoning?.effort, 'high');
    }
  });
});
