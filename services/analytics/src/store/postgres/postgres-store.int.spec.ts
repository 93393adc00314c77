import { testDatabase } from '@sluice/read-model/testing';
import { inject, onTestFinished } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import { now, retention, storeContract } from '../testing/store-contract.ts';
import { PostgresStore } from './postgres-store.ts';

const { migrations } = analyticsSchema;

storeContract(async () => {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const store = new PostgresStore({ database, questions: database, retention });
  await store.begin(now);
  return store;
});
