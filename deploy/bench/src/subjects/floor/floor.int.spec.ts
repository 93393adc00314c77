import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { openDatabase } from '@sluice/read-model';
import { test } from 'vitest';
import { isRefusal } from '../../harness/load/expectation.ts';
import { startLoad } from '../../harness/load/load.ts';
import { startUpstream } from '../../harness/upstream/upstream.ts';
import { plainBehaviour } from '../../harness/upstream/upstream-server.ts';
import { countOf, factsCounted, startStores } from '../../stores.ts';
import { probe } from '../probe.ts';
import { requestOf } from '../request.ts';
import { startFloorOn } from './subject.ts';

/** More than may wait. */
const manyConnections = 2_500;

test('the ledger counts once what the floor of exact books serves, and nothing that it refuses', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-floor-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const upstream = await startUpstream();
  stack.defer(() => upstream.stop());
  await upstream.behave(plainBehaviour);
  const load = await startLoad();
  stack.defer(() => load.stop());
  const stores = await startStores(folder, stack);
  const floor = await startFloorOn(stores, stack, { upstream, folder, environment: {} });
  for (const isStreaming of [false, true]) {
    const shape = { bodyBytes: 200, isStreaming };
    const expectation = await probe(floor, shape, plainBehaviour.deltas);
    const request = requestOf(floor, shape);
    const loop = { port: floor.port, request, expectation, connections: 4, sendingMs: 300 };
    deepEqual((await load.closedLoop(loop)).faults, {});
    const before = await upstream.requests();
    const over = await load.closedLoop({ ...loop, connections: manyConnections });
    const refused = Object.entries(over.faults).filter(([fault]) => isRefusal(fault));
    equal(refused.length, Object.keys(over.faults).length);
    const refusals = refused.reduce((sum, [, count]) => sum + count, 0);
    equal(over.answered, over.sentInTime - refusals);
    equal((await upstream.requests()) - before, over.answered);
  }
  const tables = openDatabase({ url: stores.postgres.url, schema: 'ledger', connectionsMax: 1 });
  stack.defer(() => tables.stop());
  const asked = await upstream.requests();
  await until(async () => (await factsCounted(tables)) >= asked);
  equal(await factsCounted(tables), asked);
  equal(await countOf(tables, 'usage_facts', 'count(*)'), asked);
});
