import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import type { OutputPart, Prompt } from '@sluice/simulator';
import { afterEach, describe, expect, test } from 'vitest';
import { assignFilters } from '../../testing/assign-filters.ts';
import {
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { factsOf } from '../../testing/tool-loops.ts';

// A search goes from the endpoint to the service, in one response or from one to the next, and the client sees no
// difference.

let routing: RoutingHarness;
afterEach(() => routing.stop());

const cent = 10_000_000n;
const question = 'Which moons does Saturn have?';
const saturn = 'http://space.corpus.example/saturn';
const tools = [{ type: 'web_search' }];

/** A model at an endpoint with a search of its own, and at one without. */
const catalogFile = (url: string) => `
providers:
  - { slug: searching, name: S, dialect: openai-responses, base_url: '${url}' }
  - { slug: plain, name: P, dialect: openai-chat, base_url: '${url}' }
models:
  - id: both/first
    context_length: 10000
    endpoints:
      - { provider: searching, upstream_model: searching, native_tools: [web_search],
          pricing: { prompt: '0', completion: '0', web_search: '0.01' } }
      - { provider: plain, upstream_model: plain, pricing: { prompt: '0.000001', completion: '0.000001' } }
`;

interface Item {
  readonly type: string;
  readonly status: string;
  readonly action?: { readonly query: string; readonly sources: readonly object[] };
}

async function ask(body: object, keyHash?: string) {
  const principal = keyHash === undefined ? somebody : { ...somebody, keyHash };
  const input = [{ role: 'user', content: `call web_search ${question}` }];
  const reply = await routing.call({ model: 'both/first', input, tools, ...body }, { principal });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const facts = await factsOf(routing, reply, 1);
  const { output } = JSON.parse(text) as { output: readonly Item[] };
  const searches = output.filter(({ type }) => type === 'web_search_call');
  return { text, searches, facts, all: () => factsOf(routing, reply, 3) };
}

const search = (query: string): OutputPart => ({
  type: 'tool-call',
  name: 'service_web_search',
  text: JSON.stringify({ query }),
});

/** The endpoint with a search fails from a turn on. The other one calls the function. */
function failing(fromTurn: number) {
  return (prompt: Prompt) => {
    const answers = prompt.turns.filter(({ role }) => role === 'tool').length;
    if (prompt.model === 'searching') {
      if (answers + 1 >= fromTurn) return { directives: ['error-503'] };
      const date: OutputPart = { type: 'tool-call', name: 'service_datetime', text: '{}' };
      const page = { type: 'search', name: 'web_search', text: '', search: found } as const;
      return { parts: [page, date] };
    }
    return answers < 2 && prompt.toolChoice !== 'none' ? { parts: [search(question)] } : undefined;
  };
}

const found = { query: question, pages: [] };

describe('a response', () => {
  test('whose endpoint with a search fails is searched for by the service', async () => {
    routing = await routingHarness({ catalogFile, script: failing(1) });
    const native = await nativeItem();
    const { searches, all } = await ask({});
    expect((await all()).keys().toArray().toSorted()).toEqual(
      expect.arrayContaining(['/2/1', '/tool/1']),
    );
    const [own] = searches;
    deepEqual(Object.keys(own ?? {}).toSorted(), Object.keys(native).toSorted());
    deepEqual([own?.type, own?.status, own?.action?.query], [native.type, 'completed', question]);
  });

  test('goes on at an endpoint without a search in the middle of its loop', async () => {
    routing = await routingHarness({ catalogFile, script: failing(2) });
    const { searches, all } = await ask({ tools: [...tools, { type: 'service:datetime' }] });
    const facts = await all();
    equal(facts.get('/1/1')?.specialTokens['webSearches'], '1');
    equal(facts.get('/tool/2')?.provider, 'simulator');
    deepEqual(
      searches.map(({ type, status }) => `${type} ${status}`),
      ['web_search_call completed', 'web_search_call completed'],
    );
  });

  test("counts searches of an endpoint towards the operator's limit of the tool", async () => {
    const toolLimits = { ofTools: { 'service:web_search': { callsMax: 1 } } };
    const allowed: (number | undefined)[] = [];
    const script = (prompt: Prompt) => {
      allowed.push(prompt.nativeCallsMax);
      return failing(2)(prompt);
    };
    routing = await routingHarness({ catalogFile, script, toolLimits });
    const { searches, text } = await ask({ tools: [...tools, { type: 'service:datetime' }] });
    equal(allowed[0], 1);
    deepEqual(
      searches.map(({ status }) => status),
      ['completed', 'incomplete'],
    );
    match(text, /the limit of tool calls is reached/);
  });

  test('that cannot pay for the worst of the endpoint is searched for by the service', async () => {
    routing = await routingHarness({ creditsNanoUsd: 5n * cent });
    const content = `call service_web_search ${question}`;
    const input = [{ role: 'user', content }];
    const body = { model: 'sim/native', input, max_output_tokens: 500 };
    const { facts, all, text } = await ask(body);
    equal(facts.has('/1/1'), true);
    equal((await all()).get('/tool/1')?.provider, 'simulator');
    match(text, new RegExp(saturn));
  });

  test('is about the search if the choice names it', async () => {
    routing = await routingHarness();
    const tool_choice = { type: 'web_search_preview' };
    const body = { model: 'sim/native', input: question, tool_choice };
    const { searches, facts } = await ask(body);
    equal(searches.length, 1);
    deepEqual([...facts.keys()], ['/1/1']);
  });
});

/** Returns the item of a search that an endpoint makes. */
async function nativeItem(): Promise<Item> {
  const other = await routingHarness();
  const body = { model: 'sim/native', input: `call web_search ${question}`, tools };
  const { output } = JSON.parse(await textOf(await other.call(body))) as {
    output: readonly Item[];
  };
  await other.stop();
  const native = output.find(({ type }) => type === 'web_search_call');
  if (!native) throw new Error('there is no search');
  return native;
}

describe('a workspace', () => {
  test('that disabled the tool gets no search of an endpoint, either', async () => {
    routing = await routingHarness();
    routing.policies.disabledServerTools = ['service:web_search'];
    const reply = await routing.call({ model: 'sim/native', input: 'x', tools });
    equal(reply.status, 403);
    equal((await routing.receipts()).length, 0);
  });

  test.each(['sim/native', 'sim/messages-native'])(
    'redacts what a search of %s found',
    async (model) => {
      routing = await routingHarness();
      const custom = [{ pattern: 'saturn', action: 'redact' }];
      const keyHash = assignFilters(routing.policies, { custom, scanOutput: 'redact' });
      const { text, searches } = await ask({ model }, keyHash);
      equal(searches.length, 1);
      doesNotMatch(text, /corpus\.example\/saturn/);
    },
  );
});

describe('an item of a search', () => {
  const models = ['sim/native', 'sim/messages-native', 'sim/echo', 'sim/chat', 'sim/gemini'];

  test.each(models)('is read by %s in a later request', async (model) => {
    routing = await routingHarness();
    const { text } = await ask({ model: 'sim/native' });
    const { output } = JSON.parse(text) as { output: readonly object[] };
    const input = [
      { role: 'user', content: question },
      ...output,
      { role: 'user', content: 'Thanks' },
    ];
    const later = await ask({ model, input });
    match(later.text, /You said: Thanks/);
  });
});
