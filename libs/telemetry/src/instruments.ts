import type {
  Counter as MeterCounter,
  Histogram as MeterHistogram,
  Meter,
} from '@opentelemetry/api';

type Labels<Name extends string> = { readonly [Label in Name]?: string | number };

/** Only goes up. */
export type Counter<Name extends string = never> = MeterCounter<Labels<Name>>;
/** Counts values in buckets, and adds them up. */
export type Histogram<Name extends string = never> = MeterHistogram<Labels<Name>>;

/** The suffix of a unit in a name, as Prometheus wants it. Tokens are counted, and have none. */
const unitSuffixes = { s: '.seconds', '{token}': '' } as const;

/** Returns what creates the counters and histograms of a meter. */
export function instrumentsOf(meter: Meter) {
  return {
    counter: <Name extends string = never>(
      name: string,
      description: string,
      known?: Readonly<Record<Name, readonly string[]>>,
    ) => {
      const counter = meter.createCounter<Labels<Name>>(name, { description });
      // A series that is born at 1 has no increase: alerts would miss the first event of each process.
      for (const labels of combinations(known ?? {})) counter.add(0, labels as Labels<Name>);
      return counter;
    },
    histogram: <Name extends string = never>(
      name: string,
      unit: keyof typeof unitSuffixes,
      description: string,
      boundaries: readonly number[],
    ) =>
      meter.createHistogram<Labels<Name>>(name + unitSuffixes[unit], {
        description,
        advice: { explicitBucketBoundaries: [...boundaries] },
      }),
  };
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
