import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@sluice/read-model';
import { beforeAll, describe, test } from 'vitest';
import { connectionsOf } from './connections.ts';
import { eventually, json, type Json, list, manage, raw, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** A request and what it cost; its body is read to the end. */
async function ask(body: object, headers: Record<string, string> = {}) {
  const response = await raw(sluice, '/responses', { body, headers });
  equal(response.status, 200);
  const content = await response.text();
  const id = text(response.headers.get('x-generation-id'));
  return { id, requestId: response.headers.get('x-request-id'), content };
}

/** Returns the generation, once it is counted. */
async function generation(id: string): Promise<Json> {
  const found = await eventually(
    () => json(sluice, `/generation?id=${id}`),
    ({ status }) => status !== 404,
  );
  equal(found.status, 200);
  return found.body['data'] ?? {};
}

const nanoOf = (usd: unknown) => Math.round(Number(usd) * 1e9);
const noSuch = 'gen-01900000-0000-7000-8000-000000000000';

describe('a generation', () => {
  test('is told with what it cost and used, as its response said', async () => {
    const asked = {
      model: 'sim/echo',
      input: 'Hello there',
      user: 'customer-7',
      session_id: 's-1',
      trace: { trace_id: 'order-4711', tenant: { name: 'north' } },
    };
    const headers = { referer: 'https://app.example.com/chat', 'user-agent': 'app/1' };
    const { id, requestId, content } = await ask(asked, headers);
    const { usage } = JSON.parse(content) as { usage: Record<string, number> };
    const data = await generation(id);
    equal(nanoOf(data['usage']), nanoOf(usage['cost']));
    ok(nanoOf(data['usage']) > 0);
    deepEqual(
      [data['tokens_prompt'], data['native_tokens_completion'], data['total_cost']],
      [usage['input_tokens'], usage['output_tokens'], data['usage']],
    );
    deepEqual(data['trace'], asked.trace);
    const { workspace_id: workspaceId } = sluice.bootstrap;
    deepEqual(
      ['id', 'request_id', 'session_id', 'model', 'streamed', 'cancelled', 'finish_reason'].map(
        (name) => data[name],
      ),
      [id, requestId, 's-1', 'sim/echo', false, false, 'stop'],
    );
    deepEqual(
      ['external_user', 'http_referer', 'origin', 'user_agent', 'workspace_id'].map(
        (name) => data[name],
      ),
      [
        'customer-7',
        'https://app.example.com/chat',
        'https://app.example.com',
        'app/1',
        workspaceId,
      ],
    );
    ok(Number(data['latency']) >= 0 && Number(data['latency']) <= Number(data['generation_time']));
    equal((await manage(sluice, `/generation?id=${id}`)).status, 200);
  });

  test('that was streamed after a failed attempt names both endpoints', async () => {
    const { id } = await ask({ model: 'sim/fallback', input: 'x', stream: true });
    const data = await generation(id);
    equal(data['streamed'], true);
    const attempts = list(data['provider_responses']);
    deepEqual(
      attempts.map(({ status }) => status),
      [503, 200],
    );
    ok(attempts[0]?.['endpoint_id'] !== attempts[1]?.['endpoint_id']);
    equal(attempts[1]?.['id'], data['upstream_id']);
  });

  test('whose client left is told as cancelled, with what was served', async () => {
    const leaving = new AbortController();
    const body = { model: 'sim/echo', input: '[sim:words-100] [sim:slow-20]', stream: true };
    const response = await raw(sluice, '/responses', { body, signal: leaving.signal });
    const id = text(response.headers.get('x-generation-id'));
    await response.body?.getReader().read();
    leaving.abort();
    const data = await generation(id);
    equal(data['cancelled'], true);
  });

  test('that gave no output is told with what was tried, and costs nothing', async () => {
    const used = (await manage(sluice, '/credits')).body['data']?.['total_usage'];
    const body = { model: 'sim/fallback', input: '[sim:error-500]', user: 'customer-7' };
    const response = await raw(sluice, '/responses', { body });
    equal(response.status, 503);
    await response.body?.cancel();
    const data = await generation(text(response.headers.get('x-generation-id')));
    deepEqual(
      list(data['provider_responses']).map(({ status }) => status),
      [502, 502],
    );
    deepEqual(
      ['total_cost', 'tokens_completion', 'finish_reason', 'provider_name', 'external_user'].map(
        (name) => data[name],
      ),
      [0, 0, 'error', null, 'customer-7'],
    );
    equal((await manage(sluice, '/credits')).body['data']?.['total_usage'], used);
  });

  test.each([
    ['whole', 'sim/echo', false],
    ['streamed', 'sim/echo', true],
    ['whole', 'sim/messages', false],
    ['streamed', 'sim/gemini', true],
  ] as const)(
    'that the provider cut is on its receipt and in the books, and no credits pay it: %s of %s',
    async (_, model, stream) => {
      const used = (await manage(sluice, '/credits')).body['data']?.['total_usage'];
      const body = { model, input: '[sim:cut-2] hello there', stream };
      const response = await raw(sluice, '/responses', { body });
      equal(response.status, stream ? 200 : 502);
      const content = await response.text();
      equal(content.includes('response.failed'), stream);
      const id = text(response.headers.get('x-generation-id'));
      equal((await generation(id))['total_cost'], 0);
      // The row comes over the bus: it is waited for, and then nothing of it is in the credits.
      const row = await eventually(
        () => rowOf(id),
        (found) => found !== undefined,
      );
      const receipt = await receiptOf(`${id}/1/1`);
      const owed = BigInt(receipt.input_tokens) * 1_000n + BigInt(receipt.output_tokens) * 2_000n;
      deepEqual(
        [receipt.outcome, row?.outcome, row?.cost, row?.suspended],
        ['cut', 'failed', 0n, 0n],
      );
      ok(row && row.upstream <= owed && owed <= row.upstream + row.open);
      equal((await manage(sluice, '/credits')).body['data']?.['total_usage'], used);
    },
  );

  test('is none for an id that nobody got, and without an id', async () => {
    for (const id of [noSuch, 'x', '%00'])
      equal((await json(sluice, `/generation?id=${id}`)).status, 404, id);
    equal((await json(sluice, '/generation')).status, 400);
    equal((await json(sluice, `/generation?id=${noSuch}`, { key: null })).status, 401);
  });

  test('takes feedback of a management key', async () => {
    const { id } = await ask({ model: 'sim/echo', input: 'x' });
    await generation(id);
    const body = { generation_id: id, category: 'incorrect_response', comment: 'It only echoes.' };
    const given = await manage(sluice, '/generation/feedback', { body });
    deepEqual([given.status, given.body], [200, { data: { success: true } }]);
    equal((await json(sluice, '/generation/feedback', { body })).status, 403);
    const wrong = { ...body, category: 'price' };
    equal((await manage(sluice, '/generation/feedback', { body: wrong })).status, 400);
    const none = { ...body, generation_id: noSuch };
    equal((await manage(sluice, '/generation/feedback', { body: none })).status, 404);
  });
});

describe('activity', () => {
  const activity = async (query = '') =>
    list((await manage(sluice, `/activity${query}`)).body['data']);

  test('is of days that are over: shows nothing of today', async () => {
    await generation((await ask({ model: 'sim/echo', input: 'x' })).id);
    deepEqual(await activity(), []);
    const today = new Date().toISOString().slice(0, 10);
    equal((await manage(sluice, `/activity?date=${today}`)).status, 400);
    equal((await json(sluice, '/activity')).status, 403);
  });

  test('sums all that was used on a day, to the nano-USD', async () => {
    for (const model of ['sim/echo', 'sim/echo', 'sim/chat'])
      await generation((await ask({ model, input: 'one two three' })).id);
    await letTheDayPass();
    const rows = await activity();
    const { total_usage: used } = (await manage(sluice, '/credits')).body['data'] ?? {};
    equal(
      rows.reduce((sum, { usage }) => sum + nanoOf(usage), 0),
      nanoOf(used),
    );
    const yesterday = text(rows[0]?.['date']);
    ok(yesterday < new Date().toISOString().slice(0, 10));
    ok(rows.some(({ model }) => (model as unknown) === 'sim/chat'));
    for (const { endpoint_id: endpoint } of rows) match(text(endpoint), /^[0-9a-f-]{36}$/);
    deepEqual(await activity(`?date=${yesterday}`), rows);
    const { admin_user_id: user, workspace_id: workspace } = sluice.bootstrap;
    deepEqual(await activity(`?user_id=${user}`), rows);
    deepEqual(await activity('?user_id=user_of_nobody'), []);
    const split = await activity(`?workspace_id=${workspace}&group_by=workspace`);
    deepEqual(
      split,
      rows.map((row) => ({ ...row, workspace_id: workspace })),
    );
    equal((await manage(sluice, `/activity?workspace_id=${crypto.randomUUID()}`)).status, 404);
    equal((await manage(sluice, `/activity?api_key_hash=${'0'.repeat(64)}`)).status, 404);
  });
});

/** The one thing that a test cannot wait for: what was used today becomes what was used yesterday. */
async function letTheDayPass(): Promise<void> {
  await query('UPDATE activity SET day = day - 1', []);
}

async function query<Row extends object>(sql: string, values: readonly string[]) {
  const { postgres_url: url } = await connectionsOf(sluice);
  const database = openDatabase({ url, schema: 'ledger', connectionsMax: 1 });
  try {
    return await database.query<Row>({ text: sql, values: [...values] });
  } finally {
    await database.stop();
  }
}

interface BookedRow {
  readonly outcome: string;
  /** The amount that the customer pays, and the part of the customer's hold in suspense. */
  readonly cost: bigint;
  readonly suspended: bigint;
  /** The amount that the provider charges, and the amount that it may charge beyond that. */
  readonly upstream: bigint;
  readonly open: bigint;
}

/** The one usage row of a generation; undefined: it is not counted yet. */
async function rowOf(generationId: string): Promise<BookedRow | undefined> {
  const rows = await query<BookedRow>(
    `SELECT outcome, cost_nano_usd AS cost, coalesce(suspended_nano_usd, 0) AS suspended,
       coalesce(upstream_cost_nano_usd, cost_nano_usd) AS upstream,
       CASE WHEN corrected_at IS NULL THEN coalesce(operator_suspended_nano_usd, 0) ELSE 0 END AS open
     FROM usage_facts LEFT JOIN (
       SELECT usage_id, suspended_nano_usd, operator_suspended_nano_usd, corrected_at FROM estimates
     ) AS estimate USING (usage_id)
     WHERE generation_id = $1`,
    [generationId],
  );
  ok(rows.length <= 1);
  return rows[0];
}

interface Receipt {
  readonly client_request_id: string;
  readonly outcome: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Returns the entry of the simulator's own books. */
async function receiptOf(attempt: string): Promise<Receipt> {
  const file = join(sluice.dataDirectory, 'simulator', 'receipts.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const receipts = lines.map((line) => JSON.parse(line) as Receipt);
  const found = receipts.find((receipt) => receipt.client_request_id === attempt);
  ok(found, `a receipt of ${attempt}`);
  return found;
}
