import { deepEqual, equal, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { assignFilters } from '../../testing/assign-filters.ts';
import {
  errorOf,
  eventually,
  routingHarness,
  somebody,
  type CallOptions,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** An endpoint that answers counts as the test sets them. */
const asked: Asked[] = [];
let answer: () => { readonly status?: number; readonly body: string } | 'nothing';
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const key = request.headers['x-api-key']?.toString();
    asked.push({ path: request.url ?? '', key, body: Buffer.concat(chunks).toString() });
    const told = answer();
    if (told !== 'nothing') response.writeHead(told.status ?? 200).end(told.body);
  });
});

const pricing = "pricing: { prompt: '0.000001', completion: '0.000002' }";
const catalogFile = (url: string): string => {
  const { port } = server.address() as AddressInfo;
  const counter = `http://127.0.0.1:${String(port)}/v1`;
  return `
providers:
  - { slug: counter, name: Counter, dialect: anthropic-messages, base_url: '${counter}' }
  - { slug: away, name: Away, dialect: google-gemini, base_url: 'http://127.0.0.1:1/v1' }
models:
  - { id: mine/counted, context_length: 1000000, endpoints: [{ provider: counter, upstream_model: a, ${pricing} }] }
  - { id: mine/away, context_length: 1000000, endpoints: [{ provider: away, upstream_model: a, ${pricing} }] }
# The simulator is at ${url}.
`;
};

let routing: RoutingHarness;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  routing = await routingHarness({ catalogFile, limits: { countMs: 500 } });
});
beforeEach(() => {
  asked.length = 0;
  answer = () => ({ body: '{"input_tokens":4711}' });
});
afterAll(async () => {
  await routing.stop();
  server.closeAllConnections();
  server.close();
});

const dialect = 'count-tokens';
const user = (content: string) => ({ role: 'user', content });
const tools = [{ name: 'f', description: 'Does it.', input_schema: { type: 'object' } }];
const ids = Array.from({ length: 40 }, (_, index) => `${index * 7_919}f3a-${index}b9c1d`).join();

async function countOf(body: object, options: CallOptions = {}): Promise<number> {
  const reply = await routing.call(body, { dialect, ...options });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return (JSON.parse(text) as { readonly input_tokens: number }).input_tokens;
}

describe('an endpoint that counts', () => {
  test.each(['sim/messages', 'sim/gemini'])('is asked for the count of %s', async (model) => {
    // The simulator has a token for each four bytes, the estimate has more.
    equal(await countOf({ model, messages: [user('x1'.repeat(200))] }), 100);
    const withTools = { model, system: 'Be brief.', messages: [user('hello')], tools };
    const tokens = await countOf(withTools);
    ok(tokens > 2 && tokens < 100, String(tokens));
  });

  test('gets what counts, with its key and nothing else', async () => {
    const body = { model: 'mine/counted', system: 'Be brief.', messages: [user('hello')], tools };
    equal(await countOf({ ...body, metadata: { user_id: 'somebody' } }), 4_711);
    deepEqual(
      asked.map(({ path }) => path),
      ['/v1/messages/count_tokens'],
    );
    const sent = JSON.parse(asked[0]?.body ?? '') as Readonly<Record<string, unknown>>;
    deepEqual(Object.keys(sent).toSorted(), [
      'messages',
      'model',
      'system',
      'tool_choice',
      'tools',
    ]);
    equal(sent['model'], 'a');
  });

  test('generates nothing, and no book records it', async () => {
    const before = await eventually(async () => {
      const counts = [(await routing.receipts()).length, routing.ledger.facts.length];
      return counts[0] === counts[1] ? counts : undefined;
    }, 'the facts of all answers before');
    await countOf({ model: 'sim/messages', messages: [user('hello')] });
    await countOf({ model: 'sim/gemini', messages: [user('hello')] });
    deepEqual([(await routing.receipts()).length, routing.ledger.facts.length], before);
  });
});

describe('a guardrail', () => {
  const principal = (action: string) => ({
    ...somebody,
    keyHash: assignFilters(routing.policies, { custom: [{ pattern: 'secret-\\d+', action }] }),
  });
  const body = { model: 'mine/counted', messages: [user('it is secret-123')] };

  test('that redacts a text redacts it before it is counted', async () => {
    equal(await countOf(body, { principal: principal('redact') }), 4_711);
    equal(asked.length, 1);
    ok(!asked[0]?.body.includes('secret-123'));
  });

  test('that blocks a text keeps it in the house', async () => {
    ok((await countOf(body, { principal: principal('block') })) > 4);
    deepEqual(asked, []);
  });
});

describe('the count is an estimate that errs upwards', () => {
  const messages = [user(ids)];
  const least = ids.length / 2;

  test.each<[string, () => ReturnType<typeof answer>]>([
    ['no answer in time', () => 'nothing'],
    ['an error', () => ({ status: 500, body: '{"input_tokens":1}' })],
    ['no such call', () => ({ status: 404, body: '' })],
    ['no JSON', () => ({ body: '<html>' })],
    ['a number that is no count', () => ({ body: '{"input_tokens":-1}' })],
    ['a text', () => ({ body: '{"input_tokens":"12"}' })],
    ['an endless body', () => ({ body: `{"input_tokens":1,"x":"${'x'.repeat(100_000)}"}` })],
  ])('after %s', async (_, told) => {
    answer = told;
    ok((await countOf({ model: 'mine/counted', messages })) > least);
    equal(asked.length, 1);
  });

  test.each(['sim/echo', 'sim/chat', 'mine/away'])('for %s', async (model) => {
    ok((await countOf({ model, messages })) > least);
  });

  test('with more for tools and pictures', async () => {
    const short = await countOf({ model: 'sim/chat', messages: [user('hello')] });
    ok((await countOf({ model: 'sim/chat', messages: [user('hello')], tools })) > short);
  });
});

describe('a credential of the account', () => {
  test('counts what it would pay for, and nobody counts if it cannot be opened', async () => {
    const own = { provider: 'counter', secret: 'sk-own' };
    routing.credentials.kept.set('c1', own);
    const body = { model: 'mine/counted', messages: [user('hello')] };
    const principal = { ...somebody, accountId: 'owner' };
    equal(await countOf(body, { principal }), 4_711);
    equal(asked[0]?.key, 'sk-own');
    routing.credentials.kept.set('c1', { ...own, isUnreadable: true });
    asked.length = 0;
    ok((await countOf(body, { principal: { ...somebody, accountId: 'other' } })) < 4_711);
    deepEqual(asked, []);
    routing.credentials.kept.clear();
  });
});

test('a model that does not exist is a 400', async () => {
  const reply = await routing.call({ model: 'no/such', messages: [user('a')] }, { dialect });
  equal(reply.status, 400);
  ok(await errorOf(reply));
});
