import { added, type Increment } from '../../domain/increment.ts';
import type { UsageRow } from '../../domain/usage-row.ts';
import type { FactName } from '../analytics-store.ts';
import { changeCells, changeColumns, factCells, factColumns } from './columns.ts';
import type { ClickHouse } from './engine.ts';
import { dayOf, floorTo, hourMs } from '../instants.ts';

/** So many ids are looked up at once. ClickHouse limits the size of a parameter. */
const chunkMax = 500;

/** Returns the rows that are new, or newer than what is stored. */
export async function unknownOf(
  clickHouse: ClickHouse,
  rows: readonly UsageRow[],
): Promise<readonly UsageRow[]> {
  const revisions = new Map<string, number>();
  for (const some of chunksOf(rows)) {
    const stored = await clickHouse.query<{ factId: string; revision: number }>({
      text: `SELECT fact_id AS factId, max(revision) AS revision FROM facts
        WHERE (account_id, hour, fact_id) IN (SELECT arrayJoin(arrayZip({accounts:Array(String)},
          arrayMap(second -> toDateTime(second, 'UTC'), {hours:Array(UInt32)}), {facts:Array(String)})))
          AND hour >= toDateTime({first:UInt32}, 'UTC') AND hour <= toDateTime({last:UInt32}, 'UTC')
        GROUP BY fact_id`,
      values: {
        accounts: some.map(({ accountId }) => accountId),
        hours: some.map(hourOf),
        facts: some.map(({ factId }) => factId),
        first: Math.min(...some.map(hourOf)),
        last: Math.max(...some.map(hourOf)),
      },
    });
    for (const { factId, revision } of stored) revisions.set(factId, revision);
  }
  return rows.filter(({ factId, revision }) => revision > (revisions.get(factId) ?? -1));
}

const hourOf = ({ atMs }: UsageRow) => floorTo(atMs, hourMs) / 1_000;

/** Writes facts. One that is there already is written over, and one with a newer revision stays. */
export async function writeFacts(clickHouse: ClickHouse, rows: readonly UsageRow[]): Promise<void> {
  const cells = rows.map((row) => factCells(added(row)));
  await clickHouse.insert({ table: 'facts', columns: factColumns, rows: cells });
  // The names come last: a fact that has its name here is there.
  await clickHouse.insert({
    table: 'fact_names',
    columns: ['day', 'fact_id', 'revision'],
    rows: rows.map(({ atMs, factId, revision }) => [dayOf(atMs), factId, revision]),
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

/** True if each of the facts has a row of its revision or of a newer one. */
export async function areStored(
  clickHouse: ClickHouse,
  facts: readonly FactName[],
): Promise<boolean> {
  for (const some of chunksOf(facts)) {
    const [row] = await clickHouse.query<{ count: string }>({
      text: `SELECT count() AS count FROM
          (SELECT arrayJoin(arrayZip({facts:Array(String)}, {revisions:Array(UInt8)})) AS wanted) AS names
          INNER JOIN (
            SELECT fact_id, max(revision) AS revision FROM fact_names
            WHERE day IN {days:Array(Date)} AND fact_id IN {facts:Array(String)} GROUP BY fact_id
          ) AS stored ON stored.fact_id = tupleElement(names.wanted, 1)
        WHERE stored.revision >= tupleElement(names.wanted, 2)`,
      values: {
        facts: some.map(({ factId }) => factId),
        revisions: some.map(({ revision }) => revision),
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
