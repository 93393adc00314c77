import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEgress, parseAllowList } from '@sluice/egress';
import { type ClickHouseServer, hasClickHouse, startClickHouse } from '@sluice/testing/clickhouse';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { send } from '../../delivery/send.ts';
import { aDestination, observed } from '../testing/a-generation.ts';
import { clickhouse } from './clickhouse.ts';

const page = join(import.meta.dirname, '../../../../../docs/observability.md');
const database = `sluice_${randomBytes(6).toString('hex')}`;
const table = 'SERVICE_TRACES';

describe.runIf(hasClickHouse)('a table of ClickHouse, as the documentation makes it', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
    await ask(`CREATE DATABASE ${database}`, 'default');
    const [, statement] =
      /```sql\n(CREATE TABLE[\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
    ok(statement !== undefined, 'docs/observability.md has no statement');
    await ask(statement);
  });
  afterAll(async () => {
    await ask(`DROP DATABASE ${database}`, 'default');
    await server.stop();
  });

  const place = () => {
    const { username, password, origin } = new URL(server.url);
    return { host: origin, username: username || 'default', password };
  };
  const ask = async (statement: string, inDatabase = database) => {
    const { host, username, password } = place();
    const answer = await fetch(`${host}/?database=${inDatabase}`, {
      method: 'POST',
      headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
      body: statement,
    });
    const text = await answer.text();
    equal(answer.status, 200, text);
    return text;
  };
  const rows = async (columns: string, where: string) => {
    const text = await ask(
      `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY generation_id FORMAT JSONEachRow`,
    );
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  };
  const insert = async (batch: ReturnType<typeof observed>[], config: object = {}) => {
    const shows = { cost: true, identity: true, requestContext: true };
    const destination = aDestination({
      type: 'clickhouse',
      config: { ...place(), database, table, ...config },
      shows,
    });
    const allowed = new URL(server.url).hostname;
    const egress = createEgress({ allowList: parseAllowList(allowed) });
    try {
      return await send({ sender: clickhouse, destination, batch, egress, now: new Date() });
    } finally {
      await egress.stop();
    }
  };

  test('takes rows with their values', async () => {
    const contents = {
      system: [],
      input: [
        { role: 'user' as const, parts: [{ type: 'text' as const, content: 'a "quote"\n€' }] },
      ],
      output: [],
      tools: [],
      isCut: false,
    };
    const bare = { sessionId: '', provider: '', latencyMs: undefined };
    const batch = [
      { ...observed({ generationId: 'value-1' }), contents },
      observed({ generationId: 'value-2', ...bare }),
    ];
    deepEqual(await insert(batch), { outcome: 'delivered', httpStatus: 200, problem: '' });
    const columns =
      "generation_id, session_id, toString(started_at, 'UTC') AS began, " +
      "toString(completed_at, 'UTC') AS ended, latency_ms, provider, " +
      "toInt32(prompt_tokens) AS prompt, total_cost_usd, api_key_name, position(input, '€') > 0 AS has_input";
    const shared = { prompt: 12, total_cost_usd: 0.00125, api_key_name: 'Production' };
    const found = await rows(columns, "startsWith(generation_id, 'value-')");
    deepEqual(found, [
      {
        generation_id: 'value-1',
        session_id: 'session-1',
        began: '2026-11-27 10:00:00.000',
        ended: '2026-11-27 10:00:02.000',
        latency_ms: 450,
        provider: 'openai',
        ...shared,
        has_input: 1,
      },
      {
        generation_id: 'value-2',
        session_id: null,
        began: '2026-11-27 10:00:00.000',
        ended: '2026-11-27 10:00:02.000',
        latency_ms: null,
        provider: null,
        ...shared,
        has_input: null,
      },
    ]);
  });

  test('takes a batch once, however often it is sent, and another one with the same values', async () => {
    const batch = ['once-1', 'once-2'].map((generationId) => observed({ generationId }));
    for (let attempt = 0; attempt < 3; attempt++) equal((await insert(batch)).outcome, 'delivered');
    equal((await insert([observed({ generationId: 'once-3' })])).outcome, 'delivered');
    deepEqual(await rows('generation_id', "startsWith(generation_id, 'once-')"), [
      { generation_id: 'once-1' },
      { generation_id: 'once-2' },
      { generation_id: 'once-3' },
    ]);
  });

  test('that is not there is tried again', async () => {
    equal((await insert([observed()], { table: 'missing' })).outcome, 'retry');
  });

  test('with a few of the columns takes these', async () => {
    await ask(
      'CREATE TABLE narrow (generation_id String, model String) ENGINE = MergeTree ORDER BY model',
    );
    equal((await insert([observed()], { table: 'narrow' })).outcome, 'delivered');
    equal((await ask('SELECT model FROM narrow FORMAT TabSeparated')).trim(), 'openai/gpt-5');
  });
});
