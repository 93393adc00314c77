import type { Queryable } from '@sluice/read-model';
import type { UsageRow } from '../../../domain/usage-row.ts';
import type { RowChange } from '../../analytics-store.ts';
import { dayOf } from '../../instants.ts';
import { countedAt } from '../row-columns.ts';

const revisionOf = ({ factId, revision }: Pick<UsageRow, 'factId' | 'revision'>) =>
  `${revision}/${factId}`;

/** Returns changes with the times at which the live tables have counted them, so that they answer as before. */
export async function withLiveTimes(
  live: Queryable,
  changes: readonly RowChange[],
): Promise<readonly RowChange[]> {
  const times = new Map<string, number>();
  for (const [day, ofDay] of Map.groupBy(changes, ({ after }) => dayOf(after.atMs))) {
    const among = 'WHERE day = $1::date AND fact_id = ANY($2::text[])';
    const selected = `SELECT fact_id AS "factId", revision, ${countedAt} AS "countedAt"`;
    const stored = await live.query<{ factId: string; revision: number; countedAt: Date }>({
      name: 'read-live-times',
      text: `${selected} FROM facts ${among} UNION ALL ${selected} FROM superseded ${among}`,
      values: [day, ofDay.map(({ after }) => after.factId)],
    });
    for (const row of stored) times.set(revisionOf(row), row.countedAt.getTime());
  }
  return changes.map(({ before, after }) => {
    const { countedAtMs } = after;
    return {
      before,
      after: { ...after, countedAtMs: times.get(revisionOf(after)) ?? countedAtMs },
    };
  });
}
