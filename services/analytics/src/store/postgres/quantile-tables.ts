import { type DimensionName, type MetricName, metricOf } from '@sluice/analytics-model';
import { dimensionColumns, dimensionValue, joinsOf } from '../tables.ts';
import type { SegmentReading } from './read-segments.ts';
import { binOfItem, countOfItem, sketchColumns } from './stored-sketch.ts';

export interface QuantileParts {
  readonly quantiles: readonly MetricName[];
  readonly readings: readonly SegmentReading[];
  readonly dimensions: readonly DimensionName[];
  readonly keys: readonly string[];
}

/** Merges sketches by adding up their bins. A quantile is the first bin whose rank is reached, as in DDSketch. */
export function quantileTables(parts: QuantileParts): readonly string[] {
  const { quantiles, readings, dimensions, keys } = parts;
  const values = quantiles.map((name) => valueOf(name));
  const sketches = [...new Set(values.map((value) => value.of))];
  const texts = dimensions.map((name) => `${dimensionValue(name)} AS ${dimensionColumns[name]}`);
  const sources = readings.flatMap(({ rollup, table, where, bucket }) => {
    const from = `${table} AS one ${joinsOf('one', dimensions)}`;
    const selected = [...bucket, ...texts, 'sketch'];
    const bins = sketches.map((name) => `('${name}', one.${sketchColumns[name].bin})`).join(', ');
    const ofBins = `SELECT ${[...selected, 'bin::bigint', '1::bigint AS count'].join(', ')}
       FROM ${from} CROSS JOIN LATERAL (VALUES ${bins}) AS two (sketch, bin)
       WHERE bin IS NOT NULL AND ${where}`;
    if (!rollup) return [ofBins];
    const lists = sketches
      .map((name) => `('${name}', one.${sketchColumns[name].items})`)
      .join(', ');
    return [
      ofBins,
      `SELECT ${[...selected, `${binOfItem} AS bin`, `${countOfItem} AS count`].join(', ')}
       FROM ${from} CROSS JOIN LATERAL (VALUES ${lists}) AS two (sketch, items)
         CROSS JOIN LATERAL unnest(items) AS item
       WHERE ${where}`,
    ];
  });
  const by = [...keys, 'sketch'].join(', ');
  const chosen = values.map(
    ({ of, at, name }) =>
      `min(bin) FILTER (WHERE sketch = '${of}' AND reached > ${at} * (total - 1)) AS ${name}`,
  );
  return [
    `bins AS (
       SELECT ${[...keys, 'sketch', 'bin', 'bigint_sum(count) AS count'].join(', ')}
       FROM (${sources.join(' UNION ALL ')}) AS each GROUP BY ${by}, bin HAVING bigint_sum(count) > 0)`,
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
