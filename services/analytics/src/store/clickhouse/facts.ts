import { added, type Increment } from '../../domain/increment.ts';
import type { UsageRow } from '../../domain/usage-row.ts';
import type { CountedNames } from '../analytics-store.ts';
import { changeCells, changeColumns, factCells, factColumns, instantText } from './columns.ts';
import type { ClickHouse } from './engine.ts';
import { dayOf, floorTo, hourMs } from '../instants.ts';
import { countedLaterMsMax, type Revision, type SortedRevisions } from '../sort-revisions.ts';

/** So many ids are looked up at once. ClickHouse limits the size of a parameter. */
const chunkMax = 500;

/** Returns the newest revision that is stored of each of the facts, and when it was counted. */
export async function storedRevisions(
  clickHouse: ClickHouse,
  rows: readonly UsageRow[],
): Promise<ReadonlyMap<string, Revision>> {
  const revisions = new Map<string, Revision>();
  for (const some of chunksOf(rows)) {
    const stored = await clickHouse.query<{ factId: string; newest: number; countedAt: string }>({
      text: `SELECT fact_id AS factId, max(revision) AS newest,
          toUnixTimestamp64Milli(argMax(counted_at, revision)) AS countedAt FROM facts FINAL
        WHERE ${among} GROUP BY fact_id`,
      values: valuesOf(some),
    });
    for (const { factId, newest, countedAt } of stored)
      revisions.set(factId, { revision: newest, countedAtMs: Number(countedAt) });
  }
  return revisions;
}

/** Keeps rows as they are that newer ones will replace, and revisions that came after newer ones. */
export async function writePast(
  clickHouse: ClickHouse,
  { newer, past }: Pick<SortedRevisions<UsageRow>, 'newer' | 'past'>,
): Promise<void> {
  for (const some of chunksOf(newer))
    await clickHouse.command({
      text: `INSERT INTO superseded (${factColumns.join(', ')})
        SELECT ${factColumns.join(', ')} FROM facts FINAL WHERE ${among}`,
      values: valuesOf(some),
    });
  const cells = past.map((row) => factCells(added(row)));
  await clickHouse.insert({ table: 'superseded', columns: factColumns, rows: cells });
}

/** The condition for some facts, whose keys are parameters. */
const among = `(account_id, hour, fact_id) IN (SELECT arrayJoin(arrayZip({accounts:Array(String)},
    arrayMap(second -> toDateTime(second, 'UTC'), {hours:Array(UInt32)}), {facts:Array(String)})))
  AND hour >= toDateTime({first:UInt32}, 'UTC') AND hour <= toDateTime({last:UInt32}, 'UTC')`;

const valuesOf = (rows: readonly UsageRow[]) => ({
  accounts: rows.map(({ accountId }) => accountId),
  hours: rows.map(hourOf),
  facts: rows.map(({ factId }) => factId),
  first: Math.min(...rows.map(hourOf)),
  last: Math.max(...rows.map(hourOf)),
});

const hourOf = ({ atMs }: UsageRow) => floorTo(atMs, hourMs) / 1_000;

/** Beyond the times of ClickHouse, and a safe integer. */
const anyTimeMs = 10_000_000_000_000;

/** Writes facts. One that is there already is written over, and one with a newer revision stays. */
export async function writeFacts(clickHouse: ClickHouse, rows: readonly UsageRow[]): Promise<void> {
  const cells = rows.map((row) => factCells(added(row)));
  await clickHouse.insert({ table: 'facts', columns: factColumns, rows: cells });
  // The names come last: a fact that has its name here is there.
  await clickHouse.insert({
    table: 'fact_names',
    columns: ['day', 'fact_id', 'revision', 'counted_at'],
    rows: rows.map(({ atMs, factId, revision, countedAtMs }) => [
      dayOf(atMs),
      factId,
      revision,
      instantText(countedAtMs),
    ]),
  });
}

/** Writes changes of facts that are gone. A change that is there already is written over. */
export async function writeChanges(
  clickHouse: ClickHouse,
  changes: readonly Increment[],
): Promise<void> {
  const cells = changes.map(changeCells);
  await clickHouse.insert({ table: 'late_changes', columns: changeColumns, rows: cells });
}

/** True if each of the facts has a row of its revision or a newer one, and none was counted long after the ledger. */
export async function areStored(
  clickHouse: ClickHouse,
  names: readonly CountedNames[],
): Promise<boolean> {
  const facts = names.flatMap(({ factIds, ...same }) =>
    factIds.map((factId) => ({ ...same, factId })),
  );
  for (const some of chunksOf(facts)) {
    const [row] = await clickHouse.query<{ count: string }>({
      text: `SELECT count() AS count FROM
          (SELECT arrayJoin(arrayZip({facts:Array(String)}, {revisions:Array(UInt8)}, {latest:Array(Int64)})) AS wanted)
            AS names
          INNER JOIN (
            SELECT fact_id, max(revision) AS newest, argMax(counted_at, revision) AS counted FROM fact_names FINAL
            WHERE day IN {days:Array(Date)} AND fact_id IN {facts:Array(String)} GROUP BY fact_id
          ) AS stored ON stored.fact_id = tupleElement(names.wanted, 1)
        WHERE stored.newest > tupleElement(names.wanted, 2) OR stored.newest = tupleElement(names.wanted, 2)
          AND toUnixTimestamp64Milli(stored.counted) <= tupleElement(names.wanted, 3)`,
      values: {
        facts: some.map(({ factId }) => factId),
        revisions: some.map(({ revision }) => revision),
        latest: some.map(({ countedAtMs }) => (countedAtMs ?? anyTimeMs) + countedLaterMsMax),
        days: [...new Set(some.map(({ day }) => day))],
      },
    });
    if (Number(row?.count) !== some.length) return false;
  }
  return true;
}

function* chunksOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += chunkMax)
    yield items.slice(from, from + chunkMax);
}
