import type { Queryable } from '@sluice/read-model';
import { added, removed } from '../../domain/increment.ts';
import type { CountedNames } from '../analytics-store.ts';
import type { NumberedIncrement } from './add-to-sums.ts';
import { dayMs, dayOf } from '../instants.ts';
import { countedLaterMsMax, type Revision, sortRevisions } from '../sort-revisions.ts';
import type { NumberedRow } from './numbered-row.ts';
import {
  type CountedRow,
  countedAt,
  givenFacts,
  rowOfStored,
  selectedFact,
  type StoredFact,
} from './row-columns.ts';

const among = 'FROM facts WHERE day = $1::date AND fact_id = ANY($2::text[])';

/**
 * Writes facts that are new, or newer than what is stored, and returns what that adds to the sums. A revision that is
 * replaced is kept as it was. The caller holds the lock of all writers.
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
  const stored = await readRevisions(transaction, day, rows);
  const { fresh, newer, sooner, past } = sortRevisions(rows, stored);
  if (newer.length + past.length > 0) await ensurePast(transaction, day);
  const replaced = newer.length === 0 ? [] : await takeOut(transaction, day, newer);
  if (past.length > 0) await transaction.query(pastStatement(past));
  if (sooner.length > 0) await moveTimes(transaction, day, sooner);
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
): Promise<ReadonlyMap<string, Revision>> {
  const stored = await transaction.query<{ factId: string; revision: number; countedAt: Date }>({
    name: 'read-revisions',
    text: `SELECT fact_id AS "factId", revision, ${countedAt} AS "countedAt" ${among}`,
    values: [day, rows.map(({ factId }) => factId)],
  });
  return new Map(
    stored.map(({ factId, revision, countedAt: at }) => [
      factId,
      { revision, countedAtMs: at.getTime() },
    ]),
  );
}

/** Makes the partition of replaced rows of a day, unless it is there. */
async function ensurePast(transaction: Queryable, day: string): Promise<void> {
  const startMs = Date.parse(day);
  await transaction.query({
    text: `SELECT ensure_partition('superseded', $1::timestamptz, $2::timestamptz)`,
    values: [new Date(startMs), new Date(startMs + dayMs)],
  });
}

/** Inserts revisions that a newer one has replaced. One that is there stays. */
function pastStatement(rows: readonly NumberedRow[]) {
  const text = `INSERT INTO superseded (${givenFacts.columns}) ${givenFacts.select} ON CONFLICT DO NOTHING`;
  return { text, values: givenFacts.valuesOf(rows) };
}

/** Notes that facts were counted earlier. */
async function moveTimes(
  transaction: Queryable,
  day: string,
  rows: readonly NumberedRow[],
): Promise<void> {
  await transaction.query({
    text: `UPDATE facts SET counted_at = given.counted_at
      FROM unnest($2::text[], $3::timestamptz[]) AS given (fact_id, counted_at)
      WHERE facts.day = $1::date AND facts.fact_id = given.fact_id`,
    values: [
      day,
      rows.map(({ factId }) => factId),
      rows.map(({ countedAtMs }) => new Date(countedAtMs).toISOString()),
    ],
  });
}

/** Moves the rows of facts to the replaced ones, and returns what they had added to the sums. */
async function takeOut(
  transaction: Queryable,
  day: string,
  rows: readonly NumberedRow[],
): Promise<readonly CountedRow[]> {
  const values = [day, rows.map(({ factId }) => factId)];
  await transaction.query({
    text: `INSERT INTO superseded (${givenFacts.columns}) SELECT ${givenFacts.columns} ${among}
      ON CONFLICT DO NOTHING`,
    values,
  });
  const stored = await transaction.query<StoredFact>({
    text: `DELETE ${among} RETURNING ${selectedFact}`,
    values,
  });
  return stored.map(rowOfStored);
}

/** True if each of the facts has a row of its revision or a newer one, and none was counted long after the ledger. */
export async function areStored(
  connection: Queryable,
  names: readonly CountedNames[],
): Promise<boolean> {
  const byDay = Map.groupBy(names, ({ day }) => day);
  const each = await Promise.all(
    [...byDay].map(([day, ofDay]) => areStoredOfDay(connection, day, ofDay)),
  );
  return each.every(Boolean);
}

async function areStoredOfDay(
  connection: Queryable,
  day: string,
  names: readonly CountedNames[],
): Promise<boolean> {
  const factIds = names.flatMap((one) => one.factIds);
  const ofEach = <Value>(valueOf: (one: CountedNames) => Value) =>
    names.flatMap((one) => Array<Value>(one.factIds.length).fill(valueOf(one)));
  const [row] = await connection.query<{ count: bigint }>({
    name: 'count-stored-facts',
    text: `SELECT count(*)
      FROM unnest($2::text[], $3::smallint[], $4::timestamptz[]) AS wanted (fact_id, revision, latest)
        JOIN facts ON facts.day = $1::date AND facts.fact_id = wanted.fact_id
          AND (facts.revision > wanted.revision OR facts.revision = wanted.revision
            AND (latest IS NULL OR ${countedAt} <= latest))`,
    values: [day, factIds, ofEach(({ revision }) => revision), ofEach(latestOf)],
  });
  return Number(row?.count) === factIds.length;
}

function latestOf({ countedAtMs }: CountedNames): string | null {
  return countedAtMs === undefined ? null : new Date(countedAtMs + countedLaterMsMax).toISOString();
}
