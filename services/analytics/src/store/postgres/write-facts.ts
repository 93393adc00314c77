import type { Queryable } from '@sluice/read-model';
import { added, removed } from '../../domain/increment.ts';
import type { FactName } from '../analytics-store.ts';
import type { NumberedIncrement } from './add-to-sums.ts';
import { dayOf } from '../instants.ts';
import type { NumberedRow } from './numbered-row.ts';
import { givenFacts, rowOfStored, selectedFact, type StoredFact } from './row-columns.ts';

const among = 'FROM facts WHERE day = $1::date AND fact_id = ANY($2::text[])';

/**
 * Writes facts that are new, or newer than what is stored, and returns what that adds to the sums. The caller has given
 * each fact once, and holds the lock of all writers.
 */
export async function writeFacts(
  transaction: Queryable,
  rows: readonly NumberedRow[],
): Promise<readonly NumberedIncrement[]> {
  const byDay = Map.groupBy(rows, ({ atMs }) => dayOf(atMs));
  const changes = await Promise.all(
    [...byDay].map(([day, ofDay]) => writeDay(transaction, day, ofDay)),
  );
  return changes.flat();
}

async function writeDay(
  transaction: Queryable,
  day: string,
  rows: readonly NumberedRow[],
): Promise<readonly NumberedIncrement[]> {
  const revisions = await readRevisions(transaction, day, rows);
  const fresh = rows.filter(({ factId }) => !revisions.has(factId));
  const newer = rows.filter(
    ({ factId, revision }) => revision > (revisions.get(factId) ?? Infinity),
  );
  const replaced = newer.length === 0 ? [] : await takeOut(transaction, day, newer);
  const written = [...fresh, ...newer];
  if (written.length > 0)
    await transaction.query({
      name: 'insert-facts',
      text: `INSERT INTO facts (${givenFacts.columns}) ${givenFacts.select}`,
      values: givenFacts.valuesOf(written),
    });
  return [...replaced.map(removed), ...written.map(added)];
}

async function readRevisions(
  transaction: Queryable,
  day: string,
  rows: readonly NumberedRow[],
): Promise<ReadonlyMap<string, number>> {
  const stored = await transaction.query<{ factId: string; revision: number }>({
    name: 'read-revisions',
    text: `SELECT fact_id AS "factId", revision ${among}`,
    values: [day, rows.map(({ factId }) => factId)],
  });
  return new Map(stored.map(({ factId, revision }) => [factId, revision]));
}

/** Deletes the rows of facts, and returns them as they were. */
async function takeOut(
  transaction: Queryable,
  day: string,
  rows: readonly NumberedRow[],
): Promise<readonly Omit<NumberedRow, 'generationId'>[]> {
  const stored = await transaction.query<StoredFact>({
    text: `DELETE ${among} RETURNING ${selectedFact}`,
    values: [day, rows.map(({ factId }) => factId)],
  });
  return stored.map(rowOfStored);
}

/** True if each of the facts has a row of its revision or of a newer one. */
export async function areStored(
  connection: Queryable,
  facts: readonly FactName[],
): Promise<boolean> {
  const byDay = Map.groupBy(facts, ({ day }) => day);
  const counts = await Promise.all(
    [...byDay].map(async ([day, ofDay]) => {
      const [row] = await connection.query<{ count: bigint }>({
        name: 'count-stored-facts',
        text: `SELECT count(*) FROM unnest($2::text[], $3::smallint[]) AS wanted (fact_id, revision)
            JOIN facts ON facts.day = $1::date AND facts.fact_id = wanted.fact_id
              AND facts.revision >= wanted.revision`,
        values: [day, ofDay.map(({ factId }) => factId), ofDay.map(({ revision }) => revision)],
      });
      return Number(row?.count) === ofDay.length;
    }),
  );
  return counts.every(Boolean);
}
