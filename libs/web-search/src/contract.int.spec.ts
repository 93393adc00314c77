import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  searchesFileOf,
  type SearchReceipt,
  type Simulator,
  startSimulator,
} from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createSearchEngine, type EngineOptions } from './create-engine.ts';
import { adapters } from './engines/index.ts';
import { engineNames, type EngineName, type SearchSettings } from './search.ts';

let folder: string;
let simulator: Simulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-search-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const requestId = 'gen-1/tool/1';
const plain: SearchSettings = { maxResults: 5, allowedDomains: [], excludedDomains: [] };
const secret = 'key-canary-1234';

/** All adapters pass the same tests, against a server that speaks the API of each. */
describe.each(engineNames)('the engine %s', (name: EngineName) => {
  const open = (options: Partial<EngineOptions> = {}) =>
    createSearchEngine({
      name,
      baseUrl: `${new URL(simulator.url).origin}/${name === 'simulator' ? 'searxng' : name}`,
      key: { reveal: () => secret },
      ...options,
    });
  const search = (query: string, settings: Partial<SearchSettings> = {}, options = {}) =>
    open(options).search(query, { ...plain, ...settings }, { signal, requestId });
  async function found(query: string, settings: Partial<SearchSettings> = {}) {
    const outcome = await search(query, settings);
    ok(outcome.isFound, inspect(outcome));
    return outcome;
  }

  test('finds pages, the best first, with a title, a text and a day', async () => {
    const { results, engine, billedResults } = await found('Which moons does Saturn have?');
    equal(engine, name);
    equal(billedResults, results.length);
    const [first] = results;
    equal(first?.url, 'http://space.corpus.example/saturn');
    match(first?.title ?? '', /^Saturn: .* \(simulated web\)$/u);
    match(first?.content ?? '', /Saturn is the sixth planet/u);
    if (name !== 'firecrawl' && name !== 'tavily') match(first?.publishedAt ?? '', /^2024-03-/u);
  });

  test('returns no more results than were asked for', async () => {
    equal((await found('country capital language', { maxResults: 3 })).results.length, 3);
    const many = await found('country capital language', { maxResults: 25 });
    equal(many.results.length, Math.min(25, adapters[name].resultsMax));
  });

  test('keeps to the domains that are allowed, and away from those that are excluded', async () => {
    const hosts = async (settings: Partial<SearchSettings>) => [
      ...new Set(
        (await found('Mercury planet element', { maxResults: 20, ...settings })).results.map(
          ({ url }) => new URL(url).hostname,
        ),
      ),
    ];
    deepEqual(await hosts({ allowedDomains: ['elements.corpus.example'] }), [
      'elements.corpus.example',
    ]);
    ok(
      !(await hosts({ excludedDomains: ['space.corpus.example'] })).includes(
        'space.corpus.example',
      ),
    );
    deepEqual(await hosts({ allowedDomains: ['nowhere.example'] }), []);
    const both = { allowedDomains: ['corpus.example'], excludedDomains: ['space.corpus.example'] };
    ok((await hosts(both)).includes('elements.corpus.example'));
    ok(!(await hosts(both)).includes('space.corpus.example'));
    const below = {
      allowedDomains: ['https://*.Corpus.example'],
      excludedDomains: ['*.space.corpus.example'],
    };
    ok((await hosts(below)).includes('space.corpus.example'));
    deepEqual(await hosts({ allowedDomains: ['space.*.example'] }), ['space.corpus.example']);
    ok((await hosts({ excludedDomains: ['elements.*.example'] })).includes('space.corpus.example'));
  });

  test('cuts the content to the characters that were asked for', async () => {
    const { results } = await found('Saturn moons rings', { maxCharacters: 40 });
    ok(results.length > 0);
    if (name !== 'firecrawl') for (const { content } of results) ok(content.length <= 40, content);
  });

  test('finds nothing without failing', async () => {
    deepEqual((await found('qqqqzzzz')).results, []);
  });

  test('sends its key, and the simulator keeps a receipt', async () => {
    const query = `tea ${name} coffee`;
    const { results, upstreamId } = await found(query);
    const lines = await readFile(searchesFileOf(join(folder, 'receipts.jsonl')), 'utf8');
    const receipts = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SearchReceipt);
    const mine = receipts.filter((receipt) => receipt.query.includes(query));
    const [receipt] = mine;
    equal(receipt?.engine, name === 'simulator' ? 'searxng' : name);
    equal(receipt?.client_request_id, requestId);
    if (adapters[name].idOf) ok(upstreamId?.endsWith(receipt?.id ?? 'none'), upstreamId);
    equal(receipt?.credential_sha256, createHash('sha256').update(secret).digest('hex'));
    equal(
      mine.reduce((sum, { results: count }) => sum + count, 0),
      results.length,
    );
  });

  test.each([
    [400, 'rejected'],
    [401, 'rejected_key'],
    [403, 'rejected_key'],
    [402, 'rate_limited'],
    [429, 'rate_limited'],
    [500, 'engine_failed'],
    [503, 'engine_failed'],
  ])('an answer with the status %d is a failure: %s', async (status, problem) => {
    const outcome = await search(`tea [sim:error-${status}]`);
    ok(!outcome.isFound && outcome.problem === problem, inspect(outcome));
    ok(outcome.message.startsWith(`${name}: `) && outcome.message.includes(String(status)));
    equal(outcome.mayBeBilled, false);
  });

  test('a key that the engine refuses shows in no message', async () => {
    const key = { reveal: () => `${secret}-sim-error-401` };
    const outcome = await search('tea', {}, { key });
    ok(!outcome.isFound && outcome.problem === 'rejected_key');
    ok(!inspect(outcome).includes(secret));
  });

  test('an answer that is not JSON, or has no end, is a failure', async () => {
    const broken = await search('tea [sim:malformed]');
    ok(!broken.isFound && broken.problem === 'invalid_answer', inspect(broken));
    const endless = await search('tea [sim:endless]', {}, { answerBytesMax: 1_048_576 });
    ok(!endless.isFound && endless.problem === 'answer_too_large', inspect(endless));
  });

  test('an engine that does not answer is given up', async () => {
    const outcome = await search('tea [sim:hang]', {}, { deadlineMs: 50 });
    ok(!outcome.isFound && outcome.problem === 'timeout' && outcome.mayBeBilled, inspect(outcome));
  });

  test('says whether its address answers', async () => {
    equal(await open().isReachable(signal), true);
    equal(await open({ baseUrl: 'http://127.0.0.1:1' }).isReachable(signal), false);
  });

  test('an engine that is not there is a failure', async () => {
    const outcome = await search('tea', {}, { baseUrl: 'http://127.0.0.1:1' });
    ok(!outcome.isFound && outcome.problem === 'unreachable', inspect(outcome));
  });

  test('a search ends with its request', async () => {
    const gone = new AbortController();
    const searching = open().search('tea [sim:hang]', plain, { signal: gone.signal });
    gone.abort();
    const outcome = await searching;
    ok(!outcome.isFound && outcome.problem === 'canceled', inspect(outcome));
  });

  test('refuses an empty query, a malformed list and a long one without a call', async () => {
    const baseUrl = 'http://127.0.0.1:1';
    const empty = await search(' \n ', {}, { baseUrl });
    ok(!empty.isFound && empty.problem === 'invalid_query');
    const malformed = await search('tea', { excludedDomains: ['a b'] }, { baseUrl });
    ok(!malformed.isFound && malformed.problem === 'invalid_domain');
    const allowedDomains = Array<string>(1_201).fill('a.example');
    const long = await search('tea', { allowedDomains }, { baseUrl });
    ok(!long.isFound && long.problem === 'too_many_domains');
  });

  test('cuts a query that is longer than the engine takes', async () => {
    const { results } = await found(`Saturn moons ${'ring '.repeat(2_000)}`);
    equal(results[0]?.url, 'http://space.corpus.example/saturn');
  });

  test('is not opened with a key that would show in an error', () => {
    throws(
      () => open({ key: { reveal: () => 'key-canary\n' } }),
      (error) => !inspect(error).includes('canary'),
    );
  });
});

test('a self-hosted engine needs an address', () => {
  throws(() => createSearchEngine({ name: 'searxng' }), /the address of searxng is missing/u);
});
