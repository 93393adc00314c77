import { deepEqual, ok, rejects } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { type ClickHouseServer, hasClickHouse, startClickHouse } from '@sluice/testing/clickhouse';
import { openTestClickHouse } from '../testing/clickhouse-stores.ts';
import { readAddress } from './address.ts';
import { type ClickHouse, openClickHouse } from './engine.ts';

const endless = 'SELECT count() AS count FROM numbers(1000000000000) WHERE sipHash64(number) = 1';

/** No statement runs but the one that looks. */
const nothingRuns = (clickHouse: ClickHouse) =>
  eventually(async () => {
    deepEqual(
      await clickHouse.query({
        text: `SELECT query FROM system.processes WHERE position(query, 'sipHash64(number) = 1') > 0
          AND position(query, 'system.processes') = 0`,
        values: {},
      }),
      [],
    );
  });

describe.runIf(hasClickHouse)('a statement of ClickHouse', () => {
  describe('that takes longer than its time limit', () => {
    let server: ClickHouseServer;
    beforeAll(async () => {
      server = await startClickHouse();
    });
    afterAll(async () => {
      await server.stop();
    });

    test('is ended by the server, and says so', async () => {
      const clickHouse = openTestClickHouse(server);
      await clickHouse.createDatabase('');
      await rejects(clickHouse.query({ text: endless, values: {} }, 200), { code: 'timeout' });
      await nothingRuns(clickHouse);
    });

    test('and changes something is not a question that was too long', async () => {
      const clickHouse = openTestClickHouse(server);
      await clickHouse.createDatabase('');
      await clickHouse.command({
        text: 'CREATE TABLE counts (count UInt64) ORDER BY count',
        values: {},
      });
      const statement = { text: `INSERT INTO counts ${endless}`, values: {} };
      await rejects(clickHouse.command(statement, 200), { code: 'read_model_unavailable' });
      await nothingRuns(clickHouse);
    });

    test('with text that no table can hold is refused for good', async () => {
      const clickHouse = openTestClickHouse(server);
      await clickHouse.createDatabase('');
      await clickHouse.command({
        text: 'CREATE TABLE counts (count UInt64) ORDER BY count',
        values: {},
      });
      const rows = { table: 'counts', columns: ['count'], rows: [['many']] };
      await rejects(clickHouse.insert(rows), { name: 'RefusedValue' });
    });
  });

  describe.runIf(process.env['CLICKHOUSE_URL'] === undefined)(
    'that the server does not end',
    () => {
      let server: ClickHouseServer;
      beforeAll(async () => {
        server = await startClickHouse({ isEndless: true });
      });
      afterAll(async () => {
        await server.stop();
      });

      test('is killed', async () => {
        const clickHouse = openTestClickHouse(server);
        await clickHouse.createDatabase('');
        await rejects(clickHouse.query({ text: endless, values: {} }, 200), { code: 'timeout' });
        await nothingRuns(clickHouse);
      });
    },
  );

  test('to a server that is not there fails as one that may be tried again', async () => {
    const address = readAddress('http://127.0.0.1:9/sluice');
    ok(address);
    const clickHouse = openClickHouse({ ...address, cluster: undefined });
    onTestFinished(() => clickHouse.stop());
    await rejects(clickHouse.query({ text: 'SELECT 1', values: {} }), {
      code: 'read_model_unavailable',
    });
  });
});
