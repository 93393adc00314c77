import { type MetricName, metricOf, type SketchName } from '@sluice/analytics-model';
import type { Segment } from './plan.ts';
import { binOfItem, countOfItem, sketchColumns } from './stored-sketch.ts';

export interface QuantileParts {
  readonly quantiles: readonly MetricName[];
  readonly segments: readonly Segment[];
  readonly whereOf: (index: number, alias: string) => string;
  readonly columns: readonly string[];
  readonly bucket: readonly string[];
  readonly keys: readonly string[];
}

/** The column of a fact's bin. */
const binColumns: Readonly<Record<SketchName, string>> = {
  latency: 'latency_bin',
  throughput: 'throughput_bin',
};

type Columns = Readonly<Record<SketchName, string>>;

/** Merges sketches by adding up their bins. A quantile is the first bin whose rank is reached, as in DDSketch. */
export function quantileTables(parts: QuantileParts): readonly string[] {
  const { quantiles, segments, whereOf, columns, bucket, keys } = parts;
  const values = quantiles.map((name) => valueOf(name));
  const sketches = [...new Set(values.map((value) => value.of))];
  const listsOf = (from: Columns) =>
    sketches.map((name) => `('${name}', one.${from[name]})`).join(', ');
  const sources = segments.map(({ rollup }, index) => {
    const own = ['one.at', ...columns.map((column) => `one.${column}`), 'sketch'];
    if (rollup)
      return `SELECT ${[...own, `${binOfItem} AS bin`, `${countOfItem} AS count`].join(', ')}
              FROM ${rollup.table} AS one
                CROSS JOIN LATERAL (VALUES ${listsOf(sketchColumns)}) AS two (sketch, items)
                CROSS JOIN LATERAL unnest(items) AS item
              WHERE ${whereOf(index, 'one')}`;
    return `SELECT ${[...own, 'bin::bigint', '1::bigint AS count'].join(', ')}
            FROM facts AS one CROSS JOIN LATERAL (VALUES ${listsOf(binColumns)}) AS two (sketch, bin)
            WHERE bin IS NOT NULL AND ${whereOf(index, 'one')}`;
  });
  const by = [...keys, 'sketch'].join(', ');
  const chosen = values.map(
    ({ of, at, name }) =>
      `min(bin) FILTER (WHERE sketch = '${of}' AND reached > ${at} * (total - 1)) AS ${name}`,
  );
  return [
    `bins AS (
       SELECT ${[...bucket, ...columns, 'sketch', 'bin', 'sum(count) AS count'].join(', ')}
       FROM (${sources.join(' UNION ALL ')}) AS each GROUP BY ${by}, bin HAVING sum(count) > 0)`,
    `ranked AS (
       SELECT ${by}, bin, sum(count) OVER (PARTITION BY ${by} ORDER BY bin) AS reached,
         sum(count) OVER (PARTITION BY ${by}) AS total FROM bins)`,
    `quantiles AS MATERIALIZED (
       SELECT ${[...keys, ...chosen].join(', ')} FROM ranked
       ${keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`})`,
  ];
}

function valueOf(name: MetricName) {
  const { value } = metricOf(name);
  if (value.kind !== 'quantile') throw new Error(`invariant: ${name} is a percentile`);
  return { ...value, name };
}
