import type { Queryable } from '@sluice/read-model';
import type { UsageRow } from '../../domain/usage-row.ts';
import { added, type Increment, removed } from '../../domain/increment.ts';
import { dayOf } from './instants.ts';
import { givenFacts, rowOfStored, selectedFact, type StoredFact } from './row-columns.ts';

const insert = `INSERT INTO facts (${givenFacts.columns}) SELECT * FROM ${givenFacts.from}
  ON CONFLICT (day, fact_id) DO NOTHING RETURNING fact_id AS "factId"`;
const among = `(day, fact_id) IN (SELECT * FROM unnest($1::date[], $2::text[]))`;

/**
 * Writes facts that are new, or newer than what is stored, and returns what that adds to the sums. The caller has given
 * each fact once.
 */
export async function writeFacts(
  transaction: Queryable,
  rows: readonly UsageRow[],
): Promise<readonly Increment[]> {
  const fresh = await insertFacts(transaction, rows);
  const known = rows.filter(({ factId }) => !fresh.has(factId));
  const increments = rows.filter(({ factId }) => fresh.has(factId)).map(added);
  if (known.length === 0) return increments;
  const stored = await readFacts(transaction, known);
  const newer = known.filter(
    ({ factId, revision }) => revision > (stored.get(factId)?.revision ?? Infinity),
  );
  if (newer.length === 0) return increments;
  await transaction.query({ text: `DELETE FROM facts WHERE ${among}`, values: keysOf(newer) });
  await insertFacts(transaction, newer);
  const replaced = newer.flatMap((row) => {
    const before = stored.get(row.factId);
    return before ? [removed(before)] : [];
  });
  return [...increments, ...replaced, ...newer.map(added)];
}

async function insertFacts(
  transaction: Queryable,
  rows: readonly UsageRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const values = givenFacts.valuesOf(rows);
  const inserted = await transaction.query<{ factId: string }>({
    name: 'insert-facts',
    text: insert,
    values,
  });
  return new Set(inserted.map(({ factId }) => factId));
}

async function readFacts(
  transaction: Queryable,
  rows: readonly UsageRow[],
): Promise<ReadonlyMap<string, UsageRow>> {
  const text = `SELECT ${selectedFact} FROM facts WHERE ${among}`;
  const stored = await transaction.query<StoredFact>({ text, values: keysOf(rows) });
  return new Map(stored.map((one) => [one.factId, rowOfStored(one)]));
}

const keysOf = (rows: readonly UsageRow[]) => [
  rows.map(({ atMs }) => dayOf(atMs)),
  rows.map(({ factId }) => factId),
];
