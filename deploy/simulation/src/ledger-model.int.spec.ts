import { deepEqual } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { ledgerSchema } from '@sluice/ledger/schema';
import { type Carried, carryOutInDatabase } from '@sluice/ledger/testing';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { upstreamCostOf } from '@sluice/usage-facts';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { simulate } from './simulate.ts';

const { migrations } = ledgerSchema;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database?.drop());

/** The database reads its own clock: what replicas were heard of then, it has to believe now. */
async function pretendHeard(heard: ReadonlyMap<string, number>, nowMs: number): Promise<void> {
  for (const [replica, atMs] of heard)
    await database.query({
      text: `UPDATE replicas SET heard_at = now() - make_interval(secs => $2) WHERE replica = $1`,
      values: [replica, (nowMs - atMs) / 1_000],
    });
}

/** Returns the first operations whose result differs in PostgreSQL. */
async function differences(carried: readonly Carried[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const heard = new Map<string, number>();
  for (const [index, { operation, atMs, answer: expected }] of carried.entries()) {
    if (operation.do === 'acquire') await pretendHeard(heard, atMs);
    const answer = await carryOutInDatabase(database, operation).catch((error: unknown) => {
      if (error instanceof Fault) return error.code;
      throw error;
    });
    if (operation.do === 'acquire' || operation.do === 'close epochs')
      if (answer !== 'conflict') heard.set(operation.writer.replica, atMs);
    if (!isSame(answer, expected)) found.push({ index, operation, answer, expected });
    if (found.length > 2) break;
  }
  return found;
}

const text = (value: unknown) =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

function isSame(a: unknown, b: unknown): boolean {
  try {
    deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

const rows = async (sql: string) =>
  (await database.query<{ line: string }>({ text: sql, values: [] }))
    .map(({ line }) => line)
    .toSorted();

describe('the model that the simulation drives', () => {
  test.each([5, 38])(
    'answers as PostgreSQL does, and has the same in its tables: seed %i',
    async (seed) => {
      const { ledger: tables } = await simulate(seed, { hasTools: seed === 38 });
      deepEqual((await differences(tables.carried)).map(text), []);
      deepEqual(
        await rows(`SELECT usage_id || ' ' || cost_nano_usd || ' ' || coalesce(upstream_cost_nano_usd, cost_nano_usd)
                      || ' ' || fee_nano_usd || ' ' || free_nano_usd AS line
                    FROM usage_facts`),
        tables.facts
          .map((fact) =>
            [
              fact.usageId,
              fact.costNanoUsd,
              upstreamCostOf(fact),
              fact.feeNanoUsd,
              fact.freeNanoUsd,
            ].join(' '),
          )
          .toSorted(),
      );
      deepEqual(
        await rows(`SELECT scope_id || ' ' || window_kind || ' ' || credits_nano_usd || ' ' || byok_nano_usd AS line
                    FROM counters`),
        [...tables.counters.values()]
          .map((one) =>
            [one.scopeId, one.windowKind, one.creditsNanoUsd, one.byokNanoUsd].join(' '),
          )
          .toSorted(),
      );
      deepEqual(
        await rows(`SELECT scope_id || ' ' || window_kind || ' ' || credits_nano_usd AS line
                    FROM suspended WHERE credits_nano_usd > 0`),
        [...tables.suspended.values()]
          .filter((one) => one.creditsNanoUsd > 0n)
          .map((one) => `${one.scopeId} ${one.windowKind} ${one.creditsNanoUsd}`)
          .toSorted(),
      );
      deepEqual(
        await rows(`SELECT concat_ws(' ', entry_id, line, from_book, to_book, amount_nano_usd) AS line
                    FROM transfers`),
        tables.transfers
          .map((one) => [one.entryId, one.line, one.from, one.to, one.amountNanoUsd].join(' '))
          .toSorted(),
      );
      deepEqual((await rows('SELECT digest AS line FROM dead_letters')).length, 0);
    },
  );
});
