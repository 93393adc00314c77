import { randomBytes } from 'node:crypto';
import type { Database } from '@sluice/read-model';
import { testDatabase } from '@sluice/read-model/testing';
import { inject, onTestFinished } from 'vitest';
import { analyticsSchema } from '../../schema.ts';
import type { AnalyticsStore } from '../analytics-store.ts';
import { readAddress } from '../clickhouse/address.ts';
import { ClickHouseStore } from '../clickhouse/clickhouse-store.ts';
import { type ClickHouse, openClickHouse } from '../clickhouse/engine.ts';
import type { ClickHouseServer } from '@sluice/testing/clickhouse';
import { now, retention } from './contract-world.ts';

const { migrations } = analyticsSchema;

/** A store in a database of its own, which the end of the test drops. */
export interface ClickHouseTestStore {
  readonly store: ClickHouseStore;
  readonly clickHouse: ClickHouse;
  readonly database: Database;
  /** Returns another store on the same databases, as a second replica or a new process has it. */
  readonly other: (change?: (clickHouse: ClickHouse) => ClickHouse) => ClickHouseStore;
}

/** Opens a database of ClickHouse that is not there yet. The end of the test drops it. */
export function openTestClickHouse(server: ClickHouseServer, cluster?: string): ClickHouse {
  const name = `sluice_${randomBytes(6).toString('hex')}`;
  const address = readAddress(`${server.url}/${name}`);
  if (!address) throw new Error('CLICKHOUSE_URL must be http(s)://user:password@host:port');
  const clickHouse = openClickHouse({ ...address, cluster });
  onTestFinished(async () => {
    const everywhere = cluster !== undefined && server.hasKeeper ? `ON CLUSTER ${cluster}` : '';
    const text = `DROP DATABASE IF EXISTS ${name} ${everywhere} SYNC`;
    await clickHouse.command({ text, values: {} });
    await clickHouse.stop();
  });
  return server.hasKeeper ? clickHouse : withoutKeeper(clickHouse);
}

/** Replicates no table and sends no statement to other servers, which ClickHouse does by means of Keeper. */
function withoutKeeper(clickHouse: ClickHouse): ClickHouse {
  const { cluster } = clickHouse;
  if (cluster === undefined) return clickHouse;
  return {
    ...clickHouse,
    createDatabase: () => clickHouse.createDatabase(''),
    command: ({ text, values }, timeLimitMs) => {
      const here = text.replaceAll(`ON CLUSTER ${cluster}`, '').replaceAll('= Replicated', '= ');
      return clickHouse.command({ text: here, values }, timeLimitMs);
    },
  };
}

/** Makes a store that has begun at `now`, or at another instant. */
export async function makeClickHouseStore(
  server: ClickHouseServer,
  cluster?: string,
  begunAt = now,
): Promise<ClickHouseTestStore> {
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const clickHouse = openTestClickHouse(server, cluster);
  const options = { database, retention, questionMsMax: 30_000 };
  const other = (change = (one: ClickHouse) => one) =>
    new ClickHouseStore({ ...options, clickHouse: change(clickHouse) });
  const store = other();
  await store.begin(begunAt);
  return { store, clickHouse, database, other };
}

/** Returns a store that adds up all hours that have ended, after each batch. */
export function sealing(store: AnalyticsStore): AnalyticsStore {
  return {
    begin: (at) => store.begin(at),
    async apply(changes, source) {
      const applied = await store.apply(changes, source);
      await addUp(store);
      return applied;
    },
    hasFacts: (names) => store.hasFacts(names),
    applyNames: (names) => store.applyNames(names),
    ledgerCursor: () => store.ledgerCursor(),
    answer: (accountId, question) => store.answer(accountId, question),
    sumsOf: (accountId, part) => store.sumsOf(accountId, part),
    accountBehind: (accountId) => store.accountBehind(accountId),
    ledgerReadAt: () => store.ledgerReadAt(),
    ledgerIsRead: (at) => store.ledgerIsRead(at),
    retain: (at) => store.retain(at),
  };
}

/** Adds up all hours that have ended at `now`, and drops the facts of days that are no longer kept. */
export async function addUp(store: AnalyticsStore): Promise<void> {
  await store.ledgerIsRead(now);
  await store.retain(now);
}

/** Returns an engine that fails before or after a statement, as a killed process leaves it. */
export function failing(
  clickHouse: ClickHouse,
  fails: (statement: string, when: 'before' | 'after') => boolean,
): ClickHouse {
  const guarded = async (statement: string, run: () => Promise<void>) => {
    if (fails(statement, 'before')) throw new Error(`killed before ${statement}`);
    await run();
    if (fails(statement, 'after')) throw new Error(`killed after ${statement}`);
  };
  return {
    ...clickHouse,
    insert: (rows) => guarded(`write ${rows.table}`, () => clickHouse.insert(rows)),
    command: (statement, timeLimitMs) => {
      const table = /INSERT INTO (\w+)/.exec(statement.text)?.[1] ?? 'tables';
      return guarded(`sum ${table}`, () => clickHouse.command(statement, timeLimitMs));
    },
  };
}
