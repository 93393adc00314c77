import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricDescriptor,
} from '@opentelemetry/sdk-metrics';
import { type Attributes, SeriesTree } from './series.ts';

/** Goes up only. */
export interface Counter<Name extends string = never> {
  add(value: number, attributes?: Attributes<Name>): void;
}

/** Counts values in buckets, and adds them up. */
export interface Histogram<Name extends string = never> {
  record(value: number, attributes?: Attributes<Name>): void;
}

export interface InstrumentOptions<Name extends string> {
  readonly unit?: string;
  /** The attributes that it may have, in the order in which they are shown. */
  readonly attributes?: readonly Name[];
}

export interface HistogramOptions<Name extends string> extends InstrumentOptions<Name> {
  /** Upper bounds of the buckets, ascending. */
  readonly boundaries?: readonly number[];
}

/** The upper bounds that OpenTelemetry gives a histogram without any. */
const defaultBoundaries = [
  0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
];
const temporality = {
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
} as const;
/** Nobody is shown when a series began. */
const times: { readonly startTime: HrTime; readonly endTime: HrTime } = {
  startTime: [0, 0],
  endTime: [0, 0],
};

/**
 * Counters and histograms in the shape of OpenTelemetry. Its own ones sort the attributes and make
 * JSON of them for each measurement, which is too dear for several measurements of a request.
 */
export class Instruments {
  readonly #all: (() => MetricData)[] = [];

  counter<Name extends string = never>(
    name: string,
    { unit, attributes: names = [] }: InstrumentOptions<Name> = {},
  ): Counter<Name> {
    const tree = new SeriesTree(names, () => ({ sum: 0 }));
    const descriptor = descriptorOf(name, unit);
    this.#all.push(() => ({
      ...temporality,
      descriptor,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: tree
        .all()
        .map(({ attributes, state }) => ({ ...times, attributes, value: state.sum })),
    }));
    return {
      add(value, attributes = {}) {
        if (value >= 0) tree.stateOf(attributes).sum += value;
      },
    };
  }

  histogram<Name extends string = never>(
    name: string,
    { unit, attributes: names = [], boundaries = defaultBoundaries }: HistogramOptions<Name> = {},
  ): Histogram<Name> {
    const tree = new SeriesTree(names, () => new Buckets(boundaries));
    const descriptor = descriptorOf(name, unit);
    this.#all.push(() => ({
      ...temporality,
      descriptor,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: tree
        .all()
        .map(({ attributes, state }) => ({ ...times, attributes, value: state.value() })),
    }));
    return {
      record(value, attributes = {}) {
        if (value >= 0) tree.stateOf(attributes).add(value);
      },
    };
  }

  /** All that were ever used. */
  read(): MetricData[] {
    return this.#all.map((read) => read()).filter(({ dataPoints }) => dataPoints.length > 0);
  }
}

function descriptorOf(name: string, unit = ''): MetricDescriptor {
  return { name, description: '', unit, valueType: ValueType.DOUBLE };
}

class Buckets {
  readonly #boundaries: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  constructor(boundaries: readonly number[]) {
    this.#boundaries = boundaries;
    this.#counts = Array.from({ length: boundaries.length + 1 }, () => 0);
  }

  add(value: number): void {
    let place = 0;
    while (value > (this.#boundaries[place] ?? Infinity)) place += 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
  }

  value() {
    const buckets = { boundaries: [...this.#boundaries], counts: [...this.#counts] };
    return { buckets, count: this.#count, sum: this.#sum };
  }
}
