import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientDialectName, InferenceReply } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { OutputPart, Prompt } from '@sluice/simulator';
import { createSearchEngines } from '@sluice/web-search';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The model searches the simulated web, and its answer cites the pages.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script });
});
afterAll(() => routing.stop());

const question = 'Which moons does Saturn have?';
const saturn = 'http://space.corpus.example/saturn';

/** A prompt that begins with `search` searches for each of its lines, and the answer cites what it found. */
function script({
  turns,
  tools,
  toolChoice,
}: Prompt): { parts: readonly OutputPart[] } | undefined {
  const [tool] = tools;
  const asked = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  if (!tool || !asked.startsWith('search')) return undefined;
  const found = turns.filter(({ role }) => role === 'tool').map(({ text }) => text);
  const queries = asked.split('\n').slice(1);
  const query = queries[found.length]?.replace(/\((sim:[\w-]+)\)/, '[$1]');
  if (query !== undefined && toolChoice !== 'none')
    return { parts: [{ type: 'tool-call', name: tool.name, text: JSON.stringify({ query }) }] };
  const urls = found.flatMap((text) =>
    [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url),
  );
  const text = `Read [the page](${urls[0] ?? 'none'}), then ${urls[1] ?? 'none'}. ${found.join(' ')}`;
  return { parts: [{ type: 'text', name: '', text }] };
}

const asking = (queries: readonly string[]) => ({
  role: 'user',
  content: ['search', ...queries].join('\n'),
});
const kinds = ['service:web_search', 'web_search', 'web_search_preview'] as const;
const bodyOf = (dialect: ClientDialectName, tools: readonly object[], queries = [question]) => {
  const messages = [asking(queries)];
  if (dialect === 'responses') return { input: messages, tools };
  return { messages, tools, ...(dialect === 'messages' && { max_tokens: 20_000 }) };
};

const doors = ['responses', 'chat-completions', 'messages'] as const;
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const cases = doors.flatMap((dialect) =>
  models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
);

async function factsOf(reply: InferenceReply, count: number) {
  const id = reply.headers['x-generation-id'] ?? '';
  const ofResponse = () => routing.ledger.facts.filter(({ generationId }) => generationId === id);
  await eventually(() => ofResponse().length >= count || undefined, 'the facts');
  return new Map(
    ofResponse().map((fact): [string, UsageRecorded] => [fact.usageId.slice(id.length), fact]),
  );
}

const usdOf = (facts: Iterable<UsageRecorded>) =>
  Number([...facts].reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)) / 1e9;

/** Returns the last number of that name. */
function numberOf(text: string, name: string): number {
  return Number([...text.matchAll(new RegExp(`"${name}":([\\d.e-]+)`, 'g'))].at(-1)?.[1]);
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly action: {
    readonly query: string;
    readonly sources: readonly { readonly url: string }[];
  };
  readonly content: readonly {
    readonly text: string;
    readonly annotations: readonly Record<string, unknown>[];
  }[];
}
interface Answer {
  readonly output: readonly Item[];
  readonly usage: { readonly server_tool_use_details: Readonly<Record<string, number>> };
}

const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

/** Returns the response of `POST /responses`, whole or streamed. */
function answerOf(text: string, stream: boolean): Answer {
  if (!stream) return JSON.parse(text) as Answer;
  return eventsOf(text).at(-1)?.['response'] as Answer;
}

async function answer(body: object, stream = false): Promise<Answer> {
  const reply = await routing.call({ model: 'sim/echo', stream, ...body });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return answerOf(text, stream);
}

const searched = (tool: object, ...queries: readonly string[]) =>
  answer(bodyOf('responses', [tool], queries.length > 0 ? [...queries] : [question]));

const searchesOf = ({ output }: Answer) => output.filter(({ type }) => type.includes('web_search'));
const proseOf = ({ output }: Answer) => output.find(({ type }) => type === 'message')?.content[0];

describe('a loop of service:web_search', () => {
  test.each(cases)('$dialect of $model, streamed: $stream', async ({ dialect, model, stream }) => {
    const tools = [{ type: 'service:web_search' }];
    const body = { ...bodyOf(dialect, tools), model, stream };
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    const facts = await factsOf(reply, 3);
    deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1']);
    const paid = facts.get('/tool/1');
    equal(paid?.costNanoUsd, 4_000_000n);
    equal(paid?.provider, 'simulator');
    ok(Math.abs(numberOf(text, 'cost') - usdOf(facts.values())) < 1e-9);
    equal(numberOf(text, 'web_search_requests'), 1);
    const receipts = await searchReceipts();
    equal(receipts.filter((one) => one.client_request_id === paid?.usageId).length, 1);
    ok(text.includes('url_citation') || dialect === 'messages');
    if (dialect === 'messages')
      match(text, /"web_search_tool_result"[^]*web_search_result_location/);
    if (dialect === 'responses') checkAnswer(answerOf(text, stream));
    if (dialect === 'responses' && stream) checkEvents(eventsOf(text));
  });

  test.each(kinds)('%s is answered in kind, with an id', async (type) => {
    const [item] = searchesOf(await searched({ type, filters: null }));
    equal(item?.type, type === 'service:web_search' ? type : 'web_search_call');
    match(item?.id ?? '', type === 'service:web_search' ? /^st_/ : /^ws_/);
    equal(item?.status, 'completed');
  });

  test('web_search_20250305 has Anthropic’s blocks', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }];
    const body = { ...bodyOf('messages', tools), model: 'sim/messages' };
    const reply = await routing.call(body, { dialect: 'messages' });
    const { content } = JSON.parse(await textOf(reply)) as {
      content: readonly { type: string; name?: string; content?: readonly { url: string }[] }[];
    };
    const [use, result] = content;
    deepEqual([use?.type, use?.name], ['server_tool_use', 'web_search']);
    equal(result?.type, 'web_search_tool_result');
    equal(result?.content?.[0]?.url, saturn);
  });
});

function checkAnswer(whole: Answer): void {
  const [search] = searchesOf(whole);
  equal(search?.action.query, question);
  equal(search?.action.sources[0]?.url, saturn);
  equal(search?.action.sources.length, 5);
  const prose = proseOf(whole);
  const ranges = (prose?.annotations ?? []).map(({ start_index: start, end_index: end, url }) => [
    prose?.text.slice(Number(start), Number(end)),
    url,
  ]);
  deepEqual(ranges[0], [`[the page](${saturn})`, saturn]);
  equal(ranges[1]?.[0], ranges[1]?.[1]);
  match(String(prose?.annotations[0]?.['title']), /^Saturn: facts/);
  match(String(prose?.annotations[0]?.['content']), /^Saturn is the sixth planet/);
}

function checkEvents(events: readonly Record<string, unknown>[]): void {
  const itemOf = ({ item }: Record<string, unknown>) => item as Item | undefined;
  const id = events.map(itemOf).find((item) => item?.type === 'service:web_search')?.id;
  const ofSearch = events.filter((event) => event['item_id'] === id || itemOf(event)?.id === id);
  deepEqual(
    ofSearch.map(({ type }) => type),
    [
      'response.output_item.added',
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
      'response.web_search_call.completed',
      'response.output_item.done',
    ],
  );
  const names = events.map(({ type }) => type);
  const cited = names.lastIndexOf('response.output_text.annotation.added');
  ok(cited > 0 && cited < names.indexOf('response.output_text.done'));
}

async function searchReceipts() {
  const text = await readFile(
    join(dirname(routing.receiptsFile), 'receipts-searches.jsonl'),
    'utf8',
  );
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly client_request_id: string });
}

describe('a search', () => {
  const service = (parameters: object) => ({ type: 'service:web_search', parameters });

  test('keeps to its domains and its number of results', async () => {
    const only = service({ allowed_domains: ['elements.corpus.example'], max_results: 2 });
    const [item] = searchesOf(await searched(only, 'Mercury planet element'));
    const hosts = item?.action.sources.map(({ url }) => new URL(url).hostname);
    deepEqual(hosts, ['elements.corpus.example', 'elements.corpus.example']);
    const short = { type: 'web_search', filters: { blocked_domains: ['space.corpus.example'] } };
    const [other] = searchesOf(await searched(short, 'Mercury planet element'));
    ok(other?.action.sources.every(({ url }) => !url.includes('//space.')));
  });

  test('above max_uses is an error for the model, and no failed request', async () => {
    const whole = await searched(service({ max_uses: 1 }), question, 'tea');
    deepEqual(
      searchesOf(whole).map(({ status }) => status),
      ['completed', 'incomplete'],
    );
    match(proseOf(whole)?.text ?? '', /the limit of 1 searches is reached/);
    equal(whole.usage.server_tool_use_details['web_search_requests'], 1);
  });

  test('above max_total_results says that the limit is reached', async () => {
    const whole = await searched(service({ max_total_results: 7 }), 'capital', 'language', 'moons');
    deepEqual(
      searchesOf(whole).map(({ action: { sources } }) => sources.length),
      [5, 2, 0],
    );
    match(proseOf(whole)?.text ?? '', /limit reached/);
  });

  test('cuts the content to max_characters', async () => {
    const whole = await searched(service({ max_characters: 9 }));
    match(proseOf(whole)?.text ?? '', /"content":"Saturn is"/);
  });

  test.each([
    ['error-500', 'incomplete'],
    ['malformed', 'incomplete'],
  ])('that fails with %s is an error for the model', async (directive, status) => {
    // The model would take the directive for its own.
    const query = `tea (sim:${directive})`;
    const whole = await searched(service({}), query);
    deepEqual(
      searchesOf(whole).map((item) => item.status),
      [status],
    );
    match(proseOf(whole)?.text ?? '', /"error":"simulator: the search engine/);
    const [short] = searchesOf(await searched({ type: 'web_search' }, query));
    equal(short?.status, 'failed');
  });

  test('may be sent again', async () => {
    const first = await searched(service({}));
    const input = [asking([question]), ...first.output, { role: 'user', content: 'thanks' }];
    const second = await answer({ input, tools: [service({})] });
    equal(second.output.length, 1);
  });
});

describe('a deployment without a search engine', () => {
  test('answers each search with an error', async () => {
    const bare = await routingHarness({ script, searchEngines: createSearchEngines([]) });
    try {
      const body = bodyOf('responses', [{ type: 'service:web_search' }]);
      const reply = await bare.call({ ...body, model: 'sim/echo' });
      const whole = JSON.parse(await textOf(reply)) as Answer;
      equal(searchesOf(whole)[0]?.status, 'incomplete');
      match(proseOf(whole)?.text ?? '', /no search engine is set up/);
    } finally {
      await bare.stop();
    }
  });
});
