import { equal } from 'node:assert/strict';
import { testDatabase } from '@sluice/read-model/testing';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { analyticsSchema } from '../../../schema.ts';
import { changesOf, now, retention } from '../../testing/contract-world.ts';
import { PostgresStore } from '../postgres-store.ts';

const { migrations } = analyticsSchema;

test('a rebuild tells how many facts the tables beside have', async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  await store.apply(changesOf([aFact()]), { kind: 'bus' });
  const rebuilt = store.rebuilt(migrations);
  equal(await rebuilt.isWanted(), false);
  await rebuilt.want();
  // The rebuild has no tables yet.
  equal(await rebuilt.countedFacts(), 0n);
  const beside = await rebuilt.prepare(now);
  equal(await rebuilt.countedFacts(), 0n);
  const facts = [aFact(), aFact({ accountId: 'acct_2' })];
  await beside.apply(changesOf(facts), { kind: 'ledger', after: '', next: '1' });
  equal(await rebuilt.countedFacts(), 2n);
  await beside.apply(changesOf([...facts, aFact()]), { kind: 'ledger', after: '1', next: '2' });
  equal(await rebuilt.countedFacts(), 3n);

  await rebuilt.takePlace(now, async () => {});
  equal(await rebuilt.isWanted(), false);
  // There are no tables beside any more.
  equal(await rebuilt.countedFacts(), 0n);
  await rebuilt.clean();
});
