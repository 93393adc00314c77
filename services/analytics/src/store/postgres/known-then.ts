import { measureNames, sketchNames } from '@sluice/analytics-model';
import { dictionaries } from '../tables.ts';
import { countedAt } from './row-columns.ts';
import { sketchColumns } from './stored-sketch.ts';

/** The columns of facts that questions read. */
const columns = [
  'account',
  'day',
  'at',
  'fact_id',
  'generation_id',
  ...dictionaries.map(({ ref }) => ref),
  ...measureNames,
  ...sketchNames.map((name) => sketchColumns[name].bin),
].join(', ');

const wasCounted = (table: string, instant: string) =>
  `coalesce(${table}.counted_at, ${table}.at) <= ${instant}`;
const isSameFact = 'newer.day = old.day AND newer.fact_id = old.fact_id';

/**
 * Returns the expression of a table with the facts that were known at an instant, which is a parameter: the newest
 * revision of each that was counted by then.
 */
export function knownThen(instant: string): string {
  return `(
    SELECT ${columns} FROM facts WHERE ${countedAt} <= ${instant}
    UNION ALL
    SELECT ${columns} FROM superseded AS old WHERE ${wasCounted('old', instant)}
      AND NOT EXISTS (SELECT FROM facts AS newer WHERE ${isSameFact} AND ${wasCounted('newer', instant)})
      AND NOT EXISTS (SELECT FROM superseded AS newer
        WHERE ${isSameFact} AND newer.revision > old.revision AND ${wasCounted('newer', instant)}))`;
}
