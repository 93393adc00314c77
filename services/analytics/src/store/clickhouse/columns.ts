import { dimensionNames, measureNames, measures, sketchNames } from '@sluice/analytics-model';
import type { Increment } from '../../domain/increment.ts';
import { floorTo, hourMs } from '../instants.ts';
import { RefusedValue } from '../analytics-store.ts';
import { dimensionColumns } from '../tables.ts';
import type { Cell } from './engine.ts';

/** The lists of bins and of their counts. */
export const sketchColumns = sketchNames.map((name) => ({
  name,
  bins: `${name}_bins`,
  counts: `${name}_counts`,
}));

const sketchColumnNames = sketchColumns.flatMap(({ bins, counts }) => [bins, counts]);

const ofFact = [
  'at',
  ...dimensionNames.map((name) => dimensionColumns[name]),
  ...measureNames,
  ...sketchColumnNames,
];

/** The columns of the table of facts, as `factCells` fills them. */
export const factColumns = ['account_id', 'hour', 'fact_id', 'revision', ...ofFact, 'counted_at'];

/** The columns of the table of late changes. */
export const changeColumns = ['account_id', 'hour', 'fact_id', 'revision', 'sign', ...ofFact];

/** Returns the cells of a fact. */
export function factCells(increment: Increment): readonly Cell[] {
  const { accountId, atMs, factId, revision, countedAtMs } = increment.row;
  return [
    accountId,
    hourText(atMs),
    factId,
    revision,
    ...cellsOf(increment),
    instantText(countedAtMs),
  ];
}

/** Returns the cells of a late change. Its amounts have the sign. */
export function changeCells(increment: Increment): readonly Cell[] {
  const { accountId, atMs, factId, revision } = increment.row;
  return [
    accountId,
    hourText(atMs),
    factId,
    revision,
    Number(increment.sign),
    ...cellsOf(increment),
  ];
}

function cellsOf({ row, sign }: Increment): readonly Cell[] {
  const { atMs, dimensions, amounts, bins } = row;
  return [
    instantText(atMs),
    ...dimensionNames.map((name) => dimensions[name]),
    ...measureNames.map((name) => {
      const amount = amounts[name];
      if (amount === null) return measures[name].optional ? null : 0;
      return integerText(amount * sign);
    }),
    ...sketchNames.flatMap((name): readonly Cell[] => {
      const bin = bins[name];
      return bin === undefined ? [[], []] : [[bin], [Number(sign)]];
    }),
  ];
}

const int64Max = 9_223_372_036_854_775_807n;

/** ClickHouse would store other digits of a number that is too large. */
function integerText(value: bigint): string {
  if (value > int64Max || value < -int64Max) throw new RefusedValue('an amount is too large');
  return value.toString();
}

/** Returns `2026-11-18 12:34:56.789`. */
export const instantText = (ms: number) =>
  new Date(ms).toISOString().replace('T', ' ').slice(0, 23);

/** Returns the hour as `2026-11-18 12:00:00`. */
const hourText = (ms: number) => instantText(floorTo(ms, hourMs)).slice(0, 19);
