import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { type ClientDialectName, isStream } from '@sluice/inference-port';
import { systemClock } from '@sluice/clock-and-ids';
import { countOf } from '@sluice/usage-facts';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { assignFilters } from '../testing/assign-filters.ts';
import {
  type CallOptions,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../testing/routing-harness.ts';
import { recover } from '../usage/journal/recover.ts';

let routing: RoutingHarness;
let aheadMs = 0;
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
beforeAll(async () => {
  routing = await routingHarness({ clock });
});
afterAll(() => routing.stop());

const on: CallOptions = { client: { cache: { isOn: true } } };

/** Some that wait for the client, and those that are written meanwhile. */
const pieceBytesMax = 160 * 1024;

let asked = 0;
/** A text that no other test sends. */
const text = () => `question ${String(++asked)}`;

const bodies: Readonly<Record<string, (say: string) => object>> = {
  responses: (say) => ({ model: 'sim/echo', input: say }),
  'chat-completions': (say) => ({
    model: 'sim/chat',
    messages: [{ role: 'user', content: say }],
  }),
  messages: (say) => ({
    model: 'sim/messages',
    max_tokens: 100,
    messages: [{ role: 'user', content: say }],
  }),
  embeddings: (say) => ({ model: 'sim/embedding', input: say }),
  rerank: (say) => ({ model: 'sim/rerank', query: say, documents: ['a question', 'b'] }),
};
const doors = Object.keys(bodies) as readonly ClientDialectName[];
const cases = doors.flatMap((dialect) =>
  [false, true]
    .filter((stream) => !stream || !['embeddings', 'rerank'].includes(dialect))
    .map((stream) => [dialect, stream] as const),
);

async function ask(body: object, options: CallOptions = {}) {
  const reply = await routing.call(body, { ...on, ...options });
  const { headers } = reply;
  return {
    status: headers['x-service-cache-status'],
    ttl: headers['x-service-cache-ttl'],
    age: headers['x-service-cache-age'],
    source: headers['x-service-cache-source-id'],
    id: headers['x-generation-id'] ?? '',
    text: await textOf(reply),
    code: reply.status,
  };
}

const say = (body: object = {}) => ({ model: 'sim/echo', input: text(), ...body });
const receiptCount = async () => (await routing.receipts()).length;
const factOf = (id: string) =>
  eventually(
    () => routing.ledger.facts.find(({ usageId }) => usageId === `${id}/1/1`),
    `the fact of ${id}`,
  );

/** The answer without what is new in each: ids, times and usage. */
function contentOf(answer: string): string {
  return answer
    .replaceAll(/"(?:id|item_id|response_id)":"[^"]*"/g, '')
    .replaceAll(/"(?:created|created_at|completed_at)":\d+/g, '')
    .replaceAll(/"usage":\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replaceAll(/(?:resp|gen|msg|chatcmpl|rs|fc)[-_][\w-]+/g, '');
}

describe.each(cases)('an answer of /%s, streamed: %s', (dialect, stream) => {
  test('is repeated for nothing, with a name of its own', async () => {
    const body = { ...bodies[dialect]?.(text()), ...(stream && { stream }) };
    const first = await ask(body, { dialect });
    equal(first.code, 200, first.text);
    deepEqual([first.status, first.ttl, first.age], ['MISS', '300', undefined]);
    const served = await receiptCount();
    const second = await ask(body, { dialect });
    deepEqual([second.status, second.source], ['HIT', first.id]);
    notEqual(second.id, first.id);
    equal(contentOf(second.text), contentOf(first.text));
    equal(await receiptCount(), served);
    const fact = await factOf(second.id);
    deepEqual(
      [fact.costNanoUsd, fact.inputTokens, fact.outputTokens, fact.responseCacheSourceId],
      [0n, 0n, 0n, first.id],
    );
    deepEqual([fact.outcome, fact.estimated, fact.holdNanoUsd], ['completed', false, 0n]);
    equal((await factOf(first.id)).responseCacheSourceId, '');
  });
});

test('a long stream is repeated in pieces, as its client takes them', async () => {
  const body = say({ input: `${text()} [sim:words-3000]`, stream: true });
  const first = await ask(body);
  const reply = await routing.call(body, on);
  equal(reply.headers['x-service-cache-status'], 'HIT');
  ok(isStream(reply.body));
  const pieces: Buffer[] = [];
  for await (const piece of reply.body) pieces.push(Buffer.from(piece));
  const again = Buffer.concat(pieces);
  ok(again.length > 4 * pieceBytesMax, String(again.length));
  ok(Math.max(...pieces.map(({ length }) => length)) < pieceBytesMax);
  equal(contentOf(again.toString()), contentOf(first.text));
});

test('the usage of a repeated answer is 0', async () => {
  const body = say();
  const first = JSON.parse((await ask(body)).text) as { usage: { cost: number } };
  const again = JSON.parse((await ask(body)).text) as {
    usage: { input_tokens: number; output_tokens: number; cost: number };
    service_metadata?: object;
  };
  ok(first.usage.cost > 0);
  deepEqual([again.usage.input_tokens, again.usage.output_tokens, again.usage.cost], [0, 0, 0]);
});

test('a repeated answer reports no routing', async () => {
  const client = { cache: { isOn: true }, wantsMetadata: true } as const;
  const body = say();
  ok((await ask(body, { client })).text.includes('service_metadata'));
  const { status, text: repeated } = await ask(body, { client });
  equal(status, 'HIT');
  ok(!repeated.includes('service_metadata'));
});

describe('an answer is not repeated', () => {
  const other = { ...somebody, keyHash: 'another' };
  test.each<[string, CallOptions, object]>([
    ['to another key', { principal: other }, {}],
    ['to another account', { principal: { ...somebody, accountId: 'other' } }, {}],
    ['to another body', {}, { temperature: 0.5 }],
    ['as a stream', {}, { stream: true }],
    [
      'to a request for other features of the protocol',
      { client: { cache: { isOn: true }, anthropicBetas: ['context-1m-2025-08-07'] } },
      {},
    ],
  ])('%s', async (_name, options, changes) => {
    const body = say();
    equal((await ask(body)).status, 'MISS');
    equal((await ask({ ...body, ...changes }, options)).status, 'MISS');
    equal((await ask(body)).status, 'HIT');
  });

  test('after its time', async () => {
    const body = say();
    const client = { cache: { isOn: true, ttlSeconds: 60 } };
    equal((await ask(body, { client })).ttl, '60');
    aheadMs += 30_000;
    const { status, ttl, age } = await ask(body, { client });
    deepEqual([status, Number(ttl) <= 30, Number(age) >= 30], ['HIT', true, true]);
    aheadMs += 31_000;
    equal((await ask(body, { client })).status, 'MISS');
  });

  test('if the client clears it, and the new one is', async () => {
    const body = say();
    await ask(body);
    const cleared = await ask(body, { client: { cache: { isOn: true, clears: true } } });
    equal(cleared.status, 'MISS');
    equal((await ask(body)).source, cleared.id);
  });

  test('if the client does not ask for it', async () => {
    const body = say();
    await ask(body);
    for (const client of [undefined, { cache: { isOn: false } }]) {
      const { status, source } = await ask(body, { client } as CallOptions);
      deepEqual([status, source], [undefined, undefined]);
    }
  });

  test.each([
    ['that reached its limit', { max_output_tokens: 16, input: '[sim:words-100]' }],
    ['that failed', { input: '[sim:fail-1]' }],
    ['that was refused', { input: '[sim:error-500]' }],
  ])('%s', async (_name, changes) => {
    const body = say({ ...changes, input: `${text()} ${changes.input}` });
    await ask(body);
    equal((await ask(body)).source, undefined);
  });

  test('whose client left', async () => {
    const gone = new AbortController();
    const body = say();
    gone.abort();
    await routing.call(body, { ...on, signal: gone.signal });
    equal((await ask(body)).status, 'MISS');
  });

  test('if a guardrail has changed since', async () => {
    const body = say();
    await ask(body);
    const keyHash = assignFilters(routing.policies, { builtin: { ssn: 'block' } });
    const guarded = { principal: { ...somebody, keyHash } };
    equal((await ask(body, guarded)).status, 'MISS');
    equal((await ask(body, guarded)).status, 'HIT');
  });

  test('if a guardrail blocks the request', async () => {
    const keyHash = assignFilters(routing.policies, { builtin: { ssn: 'block' } });
    const options = { principal: { ...somebody, keyHash } };
    const body = say({ input: 'My SSN is 123-45-6789.' });
    for (let time = 0; time < 2; time += 1) equal((await ask(body, options)).code, 403);
  });

  test('where zero retention is demanded', async () => {
    const keyHash = 'retains-nothing';
    routing.policies.assigned.set(`key ${keyHash}`, {
      id: 'guardrail-zero',
      rules: {
        allowedProviders: undefined,
        ignoredProviders: undefined,
        allowedModels: undefined,
        ignoredModels: undefined,
        zeroRetention: { openai: true },
        allowedDataRegions: undefined,
        builtinFilters: undefined,
        customFilters: undefined,
      },
    });
    const options = { principal: { ...somebody, keyHash } };
    const body = say();
    for (let time = 0; time < 2; time += 1) equal((await ask(body, options)).status, 'DISABLED');
  });
});

test('white space of the body makes no other answer', async () => {
  const body = say();
  await ask(body);
  const spaced = Buffer.from(JSON.stringify(body, undefined, 2));
  const reply = await routing.callBytes(spaced, on);
  equal(reply.headers['x-service-cache-status'], 'HIT');
});

test('an answer with calls of server tools is repeated whole', async () => {
  const body = say({
    input: `call service_datetime ${text()}`,
    tools: [{ type: 'service:datetime' }],
  });
  const first = await ask(body);
  ok(first.text.includes('service:datetime'), first.text);
  const second = await ask(body);
  equal(second.status, 'HIT');
  equal(contentOf(second.text), contentOf(first.text));
});

test('each of many repeated answers is one fact, and one record of the spool tells many of them', async () => {
  const body = say();
  await ask(body);
  const before = routing.spool.lastSequence();
  const hits = await Promise.all(
    Array.from({ length: 120 }, (_, index) => {
      const sessionId = `session-${String(index)}`;
      return ask(body, { client: { cache: { isOn: true }, sessionId } });
    }),
  );
  const facts = await Promise.all(hits.map(({ id }) => factOf(id)));
  for (const [index, { responseCacheSourceId, sessionId, costNanoUsd }] of facts.entries())
    deepEqual(
      [responseCacheSourceId, sessionId, costNanoUsd],
      [hits[index]?.source, `session-${String(index)}`, 0n],
    );
  const ids = new Set(hits.map(({ id }) => `${id}/1/1`));
  equal(routing.published.filter((id) => ids.has(id)).length, 120);
  ok(routing.spool.lastSequence() - before < 120n);
});

test('repeated answers that are not published yet outlive a crash', async () => {
  const other = await routingHarness();
  onTestFinished(() => other.stop());
  const body = say();
  await textOf(await other.call(body, on));
  await eventually(() => other.ledger.facts.length === 1, 'the fact of the answer');
  other.ledger.isUp = false;
  const hits = await Promise.all(Array.from({ length: 20 }, () => other.call(body, on)));
  for (const hit of hits) await textOf(hit);
  const isWritten = async () =>
    (await recover(other.spool)).finals.reduce((sum, { fact }) => sum + countOf(fact), 0) === 21;
  await eventually(isWritten, 'the facts on the disk');
  const first = other.service;
  await other.crash();
  other.ledger.isUp = true;
  await other.start();
  await eventually(() => other.ledger.facts.length === 21, 'the facts of the hits');
  deepEqual(
    new Set(other.ledger.facts.map(({ generationId }) => generationId)),
    new Set([
      other.ledger.facts[0]?.generationId,
      ...hits.map(({ headers }) => headers['x-generation-id']),
    ]),
  );
  await first.stop();
});

test('the metrics count what was found', async () => {
  const metrics = await routing.metrics();
  ok(
    /routing_response_cache_lookups_total\{[^}]*outcome="hit"[^}]*\} [1-9]/.test(metrics),
    metrics,
  );
});

describe('work that is paid before the model is asked', () => {
  const web = { plugins: [{ id: 'web' }] };
  const factsOf = (id: string) =>
    routing.ledger.facts.filter(({ generationId }) => generationId === id);

  test.each(doors.slice(0, 3))(
    'is not done for an answer that is repeated: /%s',
    async (dialect) => {
      const body = { ...bodies[dialect]?.(text()), ...web };
      const first = await ask(body, { dialect });
      deepEqual([first.code, first.status], [200, 'MISS'], first.text);
      await factOf(first.id);
      ok(factsOf(first.id).some(({ toolType }) => toolType === 'service:web_search'));
      const served = await receiptCount();
      const second = await ask(body, { dialect });
      deepEqual([second.status, second.source], ['HIT', first.id]);
      await factOf(second.id);
      deepEqual(
        factsOf(second.id).map(({ toolType, costNanoUsd }) => [toolType, costNanoUsd]),
        [['', 0n]],
      );
      equal(await receiptCount(), served);
      equal(contentOf(second.text), contentOf(first.text));
    },
  );

  test('is done anew if the client clears the answer', async () => {
    const body = say(web);
    await ask(body);
    const { status, id } = await ask(body, { client: { cache: { isOn: true, clears: true } } });
    equal(status, 'MISS');
    await factOf(id);
    ok(factsOf(id).some(({ toolType }) => toolType === 'service:web_search'));
  });

  test('comes after guardrails, which look at each request', async () => {
    const block = assignFilters(routing.policies, { builtin: { ssn: 'block' } });
    const secret = say({ input: 'My SSN is 123-45-6789.', ...web });
    const facts = routing.ledger.facts.length;
    equal((await ask(secret, { principal: { ...somebody, keyHash: block } })).code, 403);
    equal(routing.ledger.facts.length, facts);
    const redact = assignFilters(routing.policies, { builtin: { ssn: 'redact' } });
    const principal = { ...somebody, keyHash: redact };
    equal((await ask(secret, { principal })).status, 'MISS');
    const { status, id } = await ask(secret, { principal });
    deepEqual([status, (await factOf(id)).guardrailInvoked], ['HIT', true]);
  });
});
