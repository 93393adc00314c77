import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, type Json, list, manage, raw, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { ofItsApi, sluice as commandLine } from './sluice.ts';

let sluice: Running;
let begun: string;
beforeAll(async () => {
  sluice = await sharedInstance();
  begun = new Date().toISOString();
  const headers = { referer: 'https://app.example.com/chat', 'x-title': 'A test' };
  for (const model of ['sim/echo', 'sim/echo', 'sim/chat']) {
    const body = { model, input: 'one two three', user: 'customer-7' };
    const response = await raw(sluice, '/responses', { body, headers });
    equal(response.status, 200);
    await response.text();
  }
  // The ledger and analytics count on their own: either may be the later one.
  await eventually(
    async () => {
      const [row] = await rows({ metrics: ['request_count', 'credits_usage'] });
      const { total_usage: spent } = (await manage(sluice, '/credits')).body['data'] ?? {};
      const isSame = nanoOf(row?.['credits_usage']) === nanoOf(spent);
      return { requests: Number(row?.['request_count'] ?? 0), isSame };
    },
    ({ requests, isSame }) => requests >= 3 && isSame,
  );
});

const ask = (body: object) => manage(sluice, '/analytics/query', { body });
const rows = async (body: object): Promise<readonly Json[]> =>
  list((await ask(body)).body['data']?.['data']);
const nanoOf = (usd: unknown) => Math.round(Number(usd) * 1e9);

describe('analytics', () => {
  test('sums what was used, to the nano-USD that credits paid', async () => {
    const { total_usage: spent } = (await manage(sluice, '/credits')).body['data'] ?? {};
    const metrics = ['credits_usage', 'total_usage', 'request_count', 'tokens_total'];
    const [all] = await rows({ metrics });
    deepEqual(
      [nanoOf(all?.['credits_usage']), nanoOf(all?.['total_usage'])],
      [nanoOf(spent), nanoOf(spent)],
    );
    for (const [dimension, granularity] of [
      ['model', 'day'],
      ['provider', 'hour'],
      ['api_key_id', 'month'],
      ['external_user', 'week'],
      ['generation_id', undefined],
    ]) {
      const split = await rows({ metrics, dimensions: [dimension], granularity });
      equal(
        split.reduce((sum, row) => sum + nanoOf(row['credits_usage']), 0),
        nanoOf(spent),
        dimension,
      );
    }
  });

  test('names models, workspaces, users, applications and end users', async () => {
    const metrics = ['request_count'];
    const of = async (...dimensions: string[]) => await rows({ metrics, dimensions });
    deepEqual(
      (await of('model')).map((row) => [row['model'], row['request_count']]),
      [
        ['sim/echo', 2],
        ['sim/chat', 1],
      ] as unknown,
    );
    const [user] = await of('user', 'external_user');
    match(text(user?.['user_email']), /@/);
    equal(user?.['external_user'] as unknown, 'customer-7');
    const [place] = await of('app', 'origin');
    deepEqual([place?.['app'], place?.['origin']], [
      'A test',
      'https://app.example.com',
    ] as unknown);
    const [workspace] = await of('workspace');
    ok(text(workspace?.['workspace']).length > 0);
    const filters = [
      { field: 'workspace', operator: 'eq', value: sluice.bootstrap.workspace_id },
      { field: 'model', operator: 'in', value: ['sim/chat'] },
    ];
    deepEqual(await rows({ metrics, filters }), [{ request_count: 1 }] as unknown);
    const foreign = [{ field: 'workspace', operator: 'eq', value: crypto.randomUUID() }];
    deepEqual(await rows({ metrics, filters: foreign }), []);
    const unknown = [{ field: 'api_key_id', operator: 'eq', value: '0'.repeat(64) }];
    const { body } = await ask({ metrics, filters: unknown });
    equal(list(body['data']?.['warnings']).length, 1);
  });

  test('answers what was known at an instant, as the credits do', async () => {
    const metrics = ['credits_usage', 'request_count'];
    const asOf = async (as_of: string) => {
      const { body } = await manage(sluice, `/credits?at=${as_of}`);
      const [row] = await rows({ metrics, as_of, dimensions: [] });
      return [nanoOf(row?.['credits_usage'] ?? 0), nanoOf(body['data']?.['total_usage'])];
    };
    deepEqual(await asOf(begun), [0, 0]);
    const [all] = await rows({ metrics });
    const spent = nanoOf(all?.['credits_usage']);
    ok(spent > 0);
    // The ledger may count a fact a moment later than analytics.
    const both = await eventually(
      () => asOf(new Date().toISOString()),
      ([, credits]) => credits === spent,
    );
    deepEqual(both, [spent, spent]);
    const year = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' };
    for (const [body, path] of [
      [{ as_of: '2999-01-01T00:00:00Z' }, 'as_of'],
      [{ as_of: year.end }, 'as_of'],
      [{ as_of: begun, time_range: year }, 'time_range.start'],
    ] as const) {
      const refused = await ask({ metrics, ...body });
      equal(refused.status, 400);
      const [issue] = list(refused.body['error']?.['metadata']?.['issues']);
      equal(issue?.['path'] as unknown, path);
    }
  });

  test('has the latency of the requests', async () => {
    const metrics = ['avg_latency', 'p50_latency', 'p99_latency'];
    const [row] = await rows({ metrics });
    const [average, median, most] = metrics.map((name) => Number(row?.[name]));
    ok(Number(average) > 0 && Number(median) > 0 && Number(most) >= Number(median));
  });

  test('lists what can be asked, and refuses all else with the path', async () => {
    const { body: meta } = await manage(sluice, '/analytics/meta');
    const names = list(meta['data']?.['metrics']).map(({ name }) => name);
    for (const name of names) {
      const { status, body } = await ask({ metrics: [name], granularity: 'day' });
      equal(status, 200, JSON.stringify(body));
    }
    const { status, body } = await ask({ metrics: ['cost'] });
    equal(status, 400);
    equal(list(body['error']?.['metadata']?.['issues'])[0]?.['path'] as unknown, 'metrics.0');
    const question = { metrics: ['total_usage'] };
    equal((await json(sluice, '/analytics/query', { body: question })).status, 403);
  });

  test('answers the questions of its page', async () => {
    const page = await readFile(new URL('../../../docs/analytics.md', import.meta.url), 'utf8');
    const bodies = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(([, body = '']) => body);
    equal(bodies.length, 10);
    for (const question of bodies) {
      const { status, body } = await ask(JSON.parse(question) as object);
      equal(status, 200, `${question}${JSON.stringify(body)}`);
    }
  });

  test('is asked by the command line', async () => {
    const words = ['--metrics', 'request_count', '--dimensions', 'model', '--granularity', 'day'];
    const command = ['analytics', 'query', ...words];
    const { code, out, error } = await commandLine(sluice, command, ofItsApi(sluice));
    deepEqual([code, error], [0, '']);
    match(out, /^DATE__DAY +MODEL +REQUEST_COUNT\n/);
    match(out, /sim\/echo +2/);
  });

  test('is drawn and written as CSV by the command line', async () => {
    const query = async (...words: string[]) =>
      await commandLine(sluice, ['analytics', 'query', ...words], ofItsApi(sluice));
    const words = ['--metrics', 'request_count', '--by', 'model'];
    const csv = 'model,request_count\nsim/echo,2\nsim/chat,1\n';
    deepEqual(await query(...words, '--csv'), { code: 0, out: csv, error: '' });
    const drawn = await query(...words, '--chart', '--filter', 'model=sim/echo');
    deepEqual([drawn.code, drawn.error], [0, '']);
    match(drawn.out, /^request_count\nsim\/echo #{50,} 2\n$/);
    const columns = await query('--metrics', 'request_count', '--every', 'day', '--chart');
    match(columns.out, /^request_count\n3 \|#/);
    const [limited, refused] = [
      await query(...words, '--csv', '--limit', '1'),
      await query('--metrics', 'request_count', '--by', 'color', '--csv'),
    ];
    deepEqual(
      [limited.code, limited.out.split('\n').length, limited.error],
      [0, 3, 'There are more rows: --limit has the most that are answered.\n'],
    );
    deepEqual([refused.code, refused.out], [1, '']);
    match(refused.error, /^This is refused \(400\): dimensions\.0 /);
  });
});

describe('an export', () => {
  const exported = async (file: string, ...words: string[]) => {
    const directory = await mkdtemp(join(tmpdir(), 'export-'));
    const path = join(directory, file);
    const command = ['analytics', 'export', ...words, '--output', path];
    const { code, out, error } = await commandLine(sluice, command, ofItsApi(sluice));
    equal(code, 0, error);
    match(out, /^The export of \d+ rows is in /);
    const content = await readFile(path);
    await rm(directory, { recursive: true });
    return content;
  };
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

  test('is downloaded by the command line, and its sum is what credits paid', async () => {
    const { total_usage: spent } = (await manage(sluice, '/credits')).body['data'] ?? {};
    const words = ['--table', 'usage_day', '--to', tomorrow, '--format', 'parquet'];
    const content = await exported('usage.parquet', ...words);
    const file = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
    const found = await parquetReadObjects({ file });
    const credits = found.map((row) => row['credits_nano_usd'] as bigint);
    equal(Number(credits.reduce((sum, nano) => sum + nano, 0n)), nanoOf(spent));
    deepEqual(
      new Set(found.map((row) => row['model'] as string)),
      new Set(['sim/echo', 'sim/chat']),
    );
    const facts = (await exported('facts.csv', '--table', 'facts', '--format', 'csv')).toString();
    match(facts, /^account_id,at,fact_id,revision,workspace_id,workspace_name,key_hash,/);
    equal(facts.trimEnd().split('\n').length, 4);
  });

  test('is a file that only a management key reads', async () => {
    const question = { metrics: ['request_count'], dimensions: ['model'] };
    const asked = { body: { format: 'csv', ...question } };
    const { status, body } = await manage(sluice, '/analytics/exports', asked);
    equal(status, 202);
    const id = text(body['data']?.['id']);
    const read = async () => (await manage(sluice, `/analytics/exports/${id}`)).body['data'];
    const made = await eventually(read, (one) => (one?.['status'] as unknown) === 'completed');
    const path = `/files/${text(made?.['file_id'])}`;
    equal((await manage(sluice, path)).status, 200);
    equal((await json(sluice, path)).status, 404);
    const listed = list((await manage(sluice, '/analytics/exports')).body['data']);
    ok(listed.some((one) => text(one['id']) === id));
  });
});
