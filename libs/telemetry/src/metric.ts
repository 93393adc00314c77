/** What an instrument shows when it is read. */
export interface Metric {
  /** With dots, as it is named in the code. */
  readonly name: string;
  readonly help?: string;
  readonly unit?: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly Point[];
}

/** One series: what tells it from the others of its metric, and where it stands. */
export interface Point {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly value: number | BucketedValue;
}

export interface BucketedValue {
  /** Upper bounds, ascending. */
  readonly boundaries: readonly number[];
  /** As many as there are boundaries, and one of what is above all; not cumulative. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}
