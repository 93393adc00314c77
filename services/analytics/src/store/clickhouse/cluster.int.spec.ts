import { deepEqual, equal } from 'node:assert/strict';
import { aFact } from '@sluice/usage-facts/testing';
import {
  type ClickHouseServer,
  hasClickHouseCluster,
  startClickHouse,
} from '@sluice/testing/clickhouse';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { makeClickHouseStore, sealing } from '../testing/clickhouse-stores.ts';
import { changesOf } from '../testing/contract-world.ts';
import { storeContract } from '../testing/store-contract.ts';

describe.runIf(hasClickHouseCluster)('a store on a cluster of ClickHouse', () => {
  let server: ClickHouseServer;
  let cluster = '';
  beforeAll(async () => {
    server = await startClickHouse();
    cluster = server.cluster ?? '';
  });
  afterAll(() => server?.stop());

  describe('that answers from facts', () => {
    storeContract(async () => (await makeClickHouseStore(server, cluster)).store);
  });

  describe('that answers from sums', () => {
    storeContract(async () => sealing((await makeClickHouseStore(server, cluster)).store));
  });

  test('reads and writes through tables that spread rows by their account', async () => {
    const { store, clickHouse } = await makeClickHouseStore(server, cluster);
    await store.apply(changesOf([aFact(), aFact({ accountId: 'acct_2' })]), { kind: 'bus' });
    const tables = await clickHouse.query<{ name: string; made: string }>({
      text: `SELECT name, engine_full AS made FROM system.tables
        WHERE database = currentDatabase() AND engine = 'Distributed' ORDER BY name`,
      values: {},
    });
    const made = new Map(tables.map((table) => [table.name, table.made]));
    const { database } = clickHouse;
    for (const name of ['facts', 'late_changes', 'usage_hour', 'usage_day', 'usage_day_model'])
      equal(
        made.get(name),
        `Distributed('${cluster}', '${database}', '${name}_local', cityHash64(account_id))`,
      );
    deepEqual(
      await clickHouse.query({
        text: 'SELECT toString(count()) AS facts FROM facts_local',
        values: {},
      }),
      [{ facts: '2' }],
    );
  });
});
