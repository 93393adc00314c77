import { equal, match, ok, throws } from 'node:assert/strict';
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
import { createPageEngine, type PageEngineOptions } from './create-page-engine.ts';
import { pageEngineNames } from './page-engine.ts';

let folder: string;
let simulator: Simulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-pages-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const secret = 'key-canary-1234';
const saturn = 'http://space.corpus.example/saturn';

/** All adapters pass the same tests, against a server that speaks the API of each. */
describe.each(pageEngineNames)('the engine %s', (name) => {
  const open = (options: Partial<PageEngineOptions> = {}) =>
    createPageEngine({
      name,
      baseUrl: `${new URL(simulator.url).origin}/${name}`,
      key: { reveal: () => secret },
      ...options,
    });
  const read = (url: string, options: Partial<PageEngineOptions> = {}, charactersMax = 5_000) =>
    open(options).read(url, { signal, charactersMax, requestId: `gen-1/tool/${name}` });

  test('reads a page, sends its key, and the simulator keeps a receipt', async () => {
    const outcome = await read(saturn);
    ok(outcome.isRead, inspect(outcome));
    equal(outcome.page.url, saturn);
    match(outcome.page.title, /^Saturn: .* \(simulated web\)$/u);
    match(outcome.page.content, /Saturn is the sixth planet/u);
    const lines = (
      await readFile(searchesFileOf(join(folder, 'receipts.jsonl')), 'utf8')
    ).trimEnd();
    const receipt = lines
      .split('\n')
      .map((line) => JSON.parse(line) as SearchReceipt)
      .find(({ client_request_id: id }) => id === `gen-1/tool/${name}`);
    equal(receipt?.engine, name);
    equal(receipt?.credential_sha256, createHash('sha256').update(secret).digest('hex'));
    if (outcome.upstreamId !== undefined) ok(outcome.upstreamId.endsWith(receipt?.id ?? 'none'));
  });

  test('cuts the content to the characters that were asked for', async () => {
    const outcome = await read(saturn, {}, 30);
    ok(outcome.isRead && outcome.page.content.length <= 30, inspect(outcome));
  });

  test('says that a page cannot be read', async () => {
    const outcome = await read('http://space.corpus.example/none');
    ok(!outcome.isRead && outcome.problem === 'unreadable' && !outcome.mayBeBilled);
  });

  test.each([
    [400, 'rejected'],
    [401, 'rejected_key'],
    [402, 'rate_limited'],
    [429, 'rate_limited'],
    [500, 'engine_failed'],
  ])('an answer with the status %d is a failure: %s', async (status, problem) => {
    const outcome = await read(`${saturn}#[sim:error-${status}]`);
    ok(!outcome.isRead && outcome.problem === problem, inspect(outcome));
    ok(outcome.message.startsWith(`${name}: `) && outcome.message.includes(String(status)));
    equal(outcome.mayBeBilled, false);
  });

  test('a key that the engine refuses shows in no message, and one that would show is not taken', async () => {
    const outcome = await read(saturn, { key: { reveal: () => `${secret}-sim-error-401` } });
    ok(!outcome.isRead && outcome.problem === 'rejected_key');
    ok(!inspect(outcome).includes(secret));
    throws(
      () => open({ key: { reveal: () => `${secret}\n` } }),
      (error: Error) => !error.message.includes(secret),
    );
  });

  test('an answer that is not JSON, has no end, or does not come is a failure', async () => {
    const broken = await read(`${saturn}#[sim:malformed]`);
    ok(!broken.isRead && broken.problem === 'invalid_answer' && broken.mayBeBilled);
    const endless = await read(`${saturn}#[sim:endless]`, { answerBytesMax: 1_048_576 });
    ok(!endless.isRead && endless.problem === 'answer_too_large');
    const hanging = await read(`${saturn}#[sim:hang]`, { deadlineMs: 50 });
    ok(!hanging.isRead && hanging.problem === 'timeout' && hanging.mayBeBilled);
    const away = await read(saturn, { baseUrl: 'http://127.0.0.1:1' });
    ok(!away.isRead && away.problem === 'unreachable');
  });

  test('a page ends with its request', async () => {
    const gone = new AbortController();
    const reading = open().read(`${saturn}#[sim:hang]`, { signal: gone.signal, charactersMax: 9 });
    gone.abort();
    const outcome = await reading;
    ok(!outcome.isRead && outcome.problem === 'canceled');
  });
});
