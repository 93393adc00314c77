import {
  type Amounts,
  type DimensionName,
  dimensionNames,
  type SketchName,
} from '@sluice/analytics-model';

/** The value of each dimension. Empty: unset. */
export type DimensionValues = { readonly [Name in DimensionName]: string };

/** Bins of sketches. Absent: the fact has no such value. */
export type Bins = { readonly [Name in SketchName]?: number };

export const noBins: Bins = {};

/** A fact as analytics counts it: dimensions and amounts at an instant. The row of the highest revision counts. */
export interface UsageRow {
  readonly accountId: string;
  readonly factId: string;
  readonly revision: number;
  /** The admission of its request. Milliseconds since 1970. */
  readonly atMs: number;
  /** When this revision became known. Milliseconds since 1970. */
  readonly countedAtMs: number;
  readonly dimensions: DimensionValues;
  readonly amounts: Amounts;
  readonly bins: Bins;
}

const lengthMax = 512;

/** Completes the values. A text is cut where it is long, and loses characters that no database takes. */
export function dimensionsOf(given: Partial<DimensionValues>): DimensionValues {
  const entries = dimensionNames.map((name) => [name, cleaned(given[name] ?? '')]);
  return Object.fromEntries(entries) as DimensionValues;
}

/** Returns the value of a dimension as it is stored. */
export function cleaned(text: string): string {
  if (text === '') return text;
  return text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();
}
