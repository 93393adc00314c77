import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { Fault } from '@sluice/errors';
import { openDatabase, StatementFailed } from './index.ts';
import { testDatabase, type TestDatabase } from './testing.ts';

const url = inject('postgresUrl');
let database: TestDatabase;
const sql = (text: string) => ({ text, values: [] });

beforeAll(async () => {
  database = await testDatabase({ url });
  await database.query(sql(`CREATE SCHEMA "${database.schema}"`));
  await database.query(sql('CREATE TABLE amounts (id text PRIMARY KEY, amount bigint)'));
});
afterAll(() => database.drop());

describe('a statement', () => {
  test('keeps every digit of a 64-bit integer, also in lists', async () => {
    const amount = 9_007_199_254_740_993n;
    const statement = {
      name: 'amounts',
      text: 'SELECT $1::bigint AS one, $2::bigint[] AS list, $3::bigint[] AS none',
      values: [amount, [amount, null], []],
    };
    deepEqual(await database.query(statement), [{ one: amount, list: [amount, null], none: [] }]);
    deepEqual(await database.query(statement), [{ one: amount, list: [amount, null], none: [] }]);
  });

  test('that is wrong says so and leaves the pool usable', async () => {
    const wrong = database.query(sql('SELECT * FROM no_such_table'));
    await rejects(wrong, (error) => error instanceof StatementFailed && error.sqlState === '42P01');
    deepEqual(await database.query(sql('SELECT 1 AS one')), [{ one: 1 }]);
  });

  test('names the constraint that it breaks', async () => {
    const insert = sql(`INSERT INTO amounts VALUES ('twice', 1)`);
    await database.query(insert);
    await rejects(
      database.query(insert),
      (error) =>
        error instanceof StatementFailed &&
        error.sqlState === '23505' &&
        error.constraint === 'amounts_pkey',
    );
  });
});

describe('a transaction', () => {
  test('writes all of it', async () => {
    const result = await database.transaction(async (transaction) => {
      await transaction.query(sql(`INSERT INTO amounts VALUES ('a', 1)`));
      await transaction.query(sql(`INSERT INTO amounts VALUES ('b', 2)`));
      return 'done';
    });
    equal(result, 'done');
    deepEqual(await idsOf(['a', 'b']), ['a', 'b']);
  });

  test('writes nothing of it when the work fails', async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.query(sql(`INSERT INTO amounts VALUES ('c', 1)`));
      throw new RangeError('no');
    });
    await rejects(work, RangeError);
    deepEqual(await idsOf(['c']), []);
  });
});

describe('an outage', () => {
  test('is the fault read_model_unavailable, with the cause', async () => {
    const nobody = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      schema: 'none',
      connectionsMax: 1,
    });
    await rejects(
      nobody.query(sql('SELECT 1')),
      (error) =>
        error instanceof Fault &&
        error.code === 'read_model_unavailable' &&
        error.cause instanceof Error,
    );
    await nobody.stop();
  });

  test('of one connection fails its statement only', async () => {
    const killed = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>(sql('SELECT pg_backend_pid() AS pid'));
      await database.query({ text: 'SELECT pg_terminate_backend($1)', values: [row?.pid ?? 0] });
      await transaction.query(sql('SELECT 1'));
    });
    await rejects(killed, { code: 'read_model_unavailable' });
    deepEqual(await database.query(sql('SELECT 1 AS one')), [{ one: 1 }]);
  });
});

test('a schema name that would need quoting is refused', () => {
  throws(() => openDatabase({ url, schema: 'a"; DROP', connectionsMax: 1 }));
  ok(openDatabase({ url, schema: 'key', connectionsMax: 1 }));
});

async function idsOf(ids: readonly string[]): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>({
    text: 'SELECT id FROM amounts WHERE id = ANY ($1) ORDER BY id',
    values: [ids],
  });
  return rows.map(({ id }) => id);
}
