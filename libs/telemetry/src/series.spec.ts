import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { SeriesOf } from './series.ts';

const counting = () => new SeriesOf(() => ({ value: 0 }));

describe('series', () => {
  test('are the same for the same labels in whatever order, and without those that have no value', () => {
    const series = counting();
    series.of({ b: 'x', a: 1 }).value += 1;
    series.of({ a: 1, b: 'x' }).value += 1;
    series.of({ a: 1, b: 'x', c: undefined }).value += 1;
    series.of({ a: 1 }).value += 1;
    series.of(undefined).value += 1;
    series.of({}).value += 1;
    deepEqual(series.all(), [
      { labels: { b: 'x', a: 1 }, sum: { value: 3 } },
      { labels: { a: 1 }, sum: { value: 1 } },
      { labels: {}, sum: { value: 2 } },
    ]);
  });

  test('are told apart by where a name ends', () => {
    const series = counting();
    series.of({ a: 'b' }).value += 1;
    series.of({ ab: '' }).value += 1;
    equal(series.all().length, 2);
  });

  test('that were removed leave their place to others, in whatever order their labels were', () => {
    const series = counting();
    series.of({ a: 'x', b: 'y' }).value += 1;
    series.of({ b: 'y', a: 'x' }).value += 1;
    series.of({ a: 'z' }).value += 1;
    series.remove({ b: 'y', a: 'x' });
    series.remove({ a: 'unknown' });
    deepEqual(series.all(), [{ labels: { a: 'z' }, sum: { value: 1 } }]);
    series.of({ a: 'x', b: 'y' }).value += 1;
    series.of({ b: 'y', a: 'x' }).value += 1;
    deepEqual(series.all()[1], { labels: { a: 'x', b: 'y' }, sum: { value: 2 } });
  });

  test('have a bound: what comes later is one series that says so, and nothing is lost', () => {
    const series = counting();
    for (let round = 0; round < 2; round += 1)
      for (let model = 0; model < 2_100; model += 1) series.of({ model: String(model) }).value += 1;
    const all = series.all();
    equal(all.length, 2_001);
    deepEqual(all.at(-1), { labels: { 'otel.metric.overflow': 'true' }, sum: { value: 200 } });
    equal(
      all.reduce((sum, each) => sum + each.sum.value, 0),
      4_200,
    );
  });
});
