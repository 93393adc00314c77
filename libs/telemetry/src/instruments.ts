import type { BucketedValue, Metric } from './metric.ts';
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

/**
 * Counters and histograms in the shape of OpenTelemetry. Its own ones sort the attributes and make
 * JSON of them for each measurement, which is too dear for several measurements of a request.
 */
export class Instruments {
  readonly #all: (() => Metric)[] = [];

  counter<Name extends string = never>(
    name: string,
    { unit = '', attributes: names = [] }: InstrumentOptions<Name> = {},
  ): Counter<Name> {
    const tree = new SeriesTree(names, () => ({ sum: 0 }));
    this.#all.push(() => ({
      name,
      unit,
      type: 'counter',
      points: tree.all().map(({ attributes, state }) => ({ attributes, value: state.sum })),
    }));
    return {
      add(value, attributes = {}) {
        if (value >= 0) tree.stateOf(attributes).sum += value;
      },
    };
  }

  histogram<Name extends string = never>(
    name: string,
    {
      unit = '',
      attributes: names = [],
      boundaries = defaultBoundaries,
    }: HistogramOptions<Name> = {},
  ): Histogram<Name> {
    const tree = new SeriesTree(names, () => new Buckets(boundaries));
    this.#all.push(() => ({
      name,
      unit,
      type: 'histogram',
      points: tree.all().map(({ attributes, state }) => ({ attributes, value: state.value() })),
    }));
    return {
      record(value, attributes = {}) {
        if (value >= 0) tree.stateOf(attributes).add(value);
      },
    };
  }

  /** All that were ever used. */
  read(): Metric[] {
    return this.#all.map((read) => read()).filter(({ points }) => points.length > 0);
  }
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

  value(): BucketedValue {
    const counts = [...this.#counts];
    return { boundaries: this.#boundaries, counts, count: this.#count, sum: this.#sum };
  }
}
