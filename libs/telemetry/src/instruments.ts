import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram as HistogramValue,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { SeriesOf } from './series.ts';

/** A value of a gauge whose set of labels changes. */
export interface GaugeRow {
  readonly value: number;
  readonly attributes: Attributes;
}

type Labels<Name extends string> = { readonly [Label in Name]?: string | number };

/** Only goes up. */
export interface Counter<Name extends string = never> {
  add(value: number, labels?: Labels<Name>): void;
  /** Ends the series of these labels. A later `add` begins it at 0. */
  remove(labels: Labels<Name>): void;
}

/** Counts values in buckets, and adds them up. */
export interface Histogram<Name extends string = never> {
  record(value: number, labels?: Labels<Name>): void;
}

/** Creates counters and histograms. */
export interface Instruments {
  counter<Name extends string = never>(
    name: string,
    description: string,
    known?: Readonly<Record<Name, readonly string[]>>,
  ): Counter<Name>;
  histogram<Name extends string = never>(
    name: string,
    unit: keyof typeof unitSuffixes,
    description: string,
    boundaries: readonly number[],
  ): Histogram<Name>;
}

/** The suffix of a unit in a name, as Prometheus wants it. Tokens are counted, and have none. */
const unitSuffixes = { s: '.seconds', '{token}': '' } as const;

/**
 * Adds up measurements for a reader of OpenTelemetry metrics. The SDK sorts and serializes the labels of each
 * measurement; these are found by one text.
 */
export class OwnInstruments implements Instruments, MetricProducer {
  readonly #scopeName: string;
  readonly #startTime = timeNow();
  readonly #reads: ((endTime: HrTime) => MetricData)[] = [];
  readonly #gauges = new Map<string, (endTime: HrTime) => MetricData>();

  constructor(scopeName: string) {
    this.#scopeName = scopeName;
  }

  counter<Name extends string = never>(
    name: string,
    description: string,
    known?: Readonly<Record<Name, readonly string[]>>,
  ): Counter<Name> {
    const series = new SeriesOf(() => ({ value: 0 }));
    this.#reads.push((endTime) => ({
      descriptor: descriptorOf(name, description),
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: this.#points(series, endTime, ({ value }) => value),
    }));
    // A series that is born at 1 has no increase: alerts would miss the first event of each process.
    for (const labels of combinations(known ?? {})) series.of(labels);
    return {
      add: (value, labels) => void (series.of(labels).value += value),
      remove: (labels) => series.remove(labels),
    };
  }

  histogram<Name extends string = never>(
    name: string,
    unit: keyof typeof unitSuffixes,
    description: string,
    boundaries: readonly number[],
  ): Histogram<Name> {
    const series = new SeriesOf(() => new Buckets(boundaries));
    this.#reads.push((endTime) => ({
      descriptor: descriptorOf(name + unitSuffixes[unit], description),
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: this.#points(series, endTime, (buckets) => buckets.read()),
    }));
    return { record: (value, labels) => series.of(labels).record(value) };
  }

  /**
   * Adds a gauge, in place of one of the same name, of which a scrape shows these rows alone. The SDK repeats rows
   * that are no more.
   */
  gauge(name: string, description: string, read: () => readonly GaugeRow[]): void {
    const startTime = this.#startTime;
    this.#gauges.set(name, (endTime) => ({
      descriptor: descriptorOf(name, description),
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.GAUGE,
      dataPoints: read().map((row) => ({ ...row, startTime, endTime })),
    }));
  }

  async collect(): ReturnType<MetricProducer['collect']> {
    const endTime = timeNow();
    const metrics = [...this.#reads, ...this.#gauges.values()]
      .map((read) => read(endTime))
      .filter(({ dataPoints }) => dataPoints.length > 0);
    const scopeMetrics = [{ scope: { name: this.#scopeName }, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  }

  #points<Sum, Value>(
    series: SeriesOf<Sum>,
    endTime: HrTime,
    read: (sum: Sum) => Value,
  ): DataPoint<Value>[] {
    return series.all().map(({ labels, sum }) => ({
      startTime: this.#startTime,
      endTime,
      attributes: labels as Attributes,
      value: read(sum),
    }));
  }
}

function timeNow(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}

/** Prometheus has the unit in the name. */
const descriptorOf = (name: string, description: string) => ({
  name,
  description,
  unit: '',
  valueType: ValueType.DOUBLE,
});

/** Counts of values up to each boundary and beyond the last one. */
class Buckets {
  readonly #boundaries: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(boundaries: readonly number[]) {
    this.#boundaries = boundaries;
    this.#counts = [...boundaries, Infinity].map(() => 0);
  }

  record(value: number): void {
    if (Number.isNaN(value)) return;
    let index = 0;
    while (index < this.#boundaries.length && value > (this.#boundaries[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  read(): HistogramValue {
    const buckets = { boundaries: [...this.#boundaries], counts: [...this.#counts] };
    return { buckets, sum: this.#sum, count: this.#count };
  }
}

/** Returns one set of labels for each combination of their values; without labels, one empty set. */
function combinations(
  known: Readonly<Record<string, readonly string[]>>,
): readonly Readonly<Record<string, string>>[] {
  return Object.entries(known).reduce<readonly Readonly<Record<string, string>>[]>(
    (sets, [label, values]) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value }))),
    [{}],
  );
}
