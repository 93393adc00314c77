import { monthOf } from '../instants.ts';
import type { ClickHouse } from './engine.ts';
import type { Progress } from './progress.ts';

/** Tables that have a partition of a day beside that of facts. */
const ofFacts: ReadonlySet<string> = new Set(['fact_names', 'superseded']);

/** Drops the partitions that end before rows are kept. Returns their number. */
export async function dropPartitions(
  clickHouse: ClickHouse,
  { kept, closedMs }: Progress,
): Promise<number> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
  // A month is dropped once it is over, so the first month that stays is that of the first instant.
  const month = (ms: number) => day(monthOf(ms)[0].getTime()).slice(0, 6);
  const bounds: readonly (readonly [string, string])[] = [
    ['facts', day(closedMs)],
    ['fact_names', day(closedMs)],
    ['superseded', day(closedMs)],
    // The sums of a day are made of those of its hours, until its facts are gone.
    ['usage_hour', month(Math.min(kept.hoursMs, closedMs))],
    ['usage_day', month(kept.daysMs)],
    ['usage_day_model', month(kept.daysMs)],
    ['late_changes', month(kept.daysMs)],
  ];
  const { cluster } = clickHouse;
  const local = cluster === undefined ? '' : '_local';
  const parts =
    cluster === undefined ? 'system.parts' : `clusterAllReplicas(${cluster}, system.parts)`;
  let dropped = 0;
  for (const [table, first] of bounds) {
    const old = await clickHouse.query<{ id: string }>({
      text: `SELECT DISTINCT partition_id AS id FROM ${parts}
        WHERE database = {database:String} AND table = {table:String} AND active
          AND match(partition_id, '^[0-9]+$') AND partition_id < {first:String} ORDER BY id`,
      values: { database: clickHouse.database, table: `${table}${local}`, first },
    });
    for (const { id } of old) await drop(clickHouse, `${table}${local}`, id);
    // A day of facts is one, with their names and what they replaced.
    if (!ofFacts.has(table)) dropped += old.length;
  }
  return dropped;
}

async function drop(clickHouse: ClickHouse, table: string, id: string): Promise<void> {
  if (!/^[0-9]+$/.test(id)) throw new Error('invariant: partitions are days and months');
  const { cluster } = clickHouse;
  const where = cluster === undefined ? '' : `ON CLUSTER ${cluster}`;
  await clickHouse.command({
    text: `ALTER TABLE ${table} ${where} DROP PARTITION ID '${id}'`,
    values: {},
  });
}
