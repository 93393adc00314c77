import type { Look } from './looks.ts';

/** A rate that was offered for a while, and what came of it. */
export interface Trial {
  /** Requests a second. */
  readonly rps: number;
  readonly seconds: number;
  readonly answered: number;
  /** Answers that were wrong, and requests without any. */
  readonly errors: number;
  readonly added_p99_ms: number;
  readonly looks: readonly Look[];
}

/** A rate is sustained while no figure is above its bound. Growth is between the first and the last third. */
export const bounds = {
  errors: 0,
  added_p99_ms: 20,
  lag_p99_s: 2,
  lag_growth_s: 0.5,
  /** Growth of the facts that wait to be counted: so many seconds of the offered rate. */
  uncounted_growth_s: 1,
  spool_growth_mib: 8,
} as const;

export type Criterion = keyof typeof bounds;

/** A bound that a rate broke, and the figure that broke it. */
export interface Broken {
  readonly criterion: Criterion;
  /** NaN when nothing was answered. */
  readonly value: number;
  readonly bound: number;
}

/** Returns the bounds that the trial broke; none if its rate is sustained. */
export function brokenBy(trial: Trial): readonly Broken[] {
  const { looks, rps, errors, added_p99_ms } = trial;
  const grown = (figure: (look: Look) => number) => growthOf(looks, figure);
  const figures: Readonly<Record<Criterion, number>> = {
    errors,
    added_p99_ms,
    lag_p99_s: lagOf(looks).p99Seconds,
    lag_growth_s: grown(({ lagSeconds }) => lagSeconds),
    uncounted_growth_s: grown(({ uncounted }) => uncounted) / rps,
    spool_growth_mib: grown(({ spoolBytes }) => spoolBytes) / 1_048_576,
  };
  const criteria = Object.keys(bounds) as Criterion[];
  return criteria
    .map((criterion) => ({ criterion, value: figures[criterion], bound: bounds[criterion] }))
    .filter(({ value, bound }) => !(value <= bound));
}

/** Returns a sentence about the result of a trial. */
export function sentenceOf(broken: readonly Broken[]): string {
  const told = broken.map(
    ({ criterion, value, bound }) => `${criterion} ${value.toFixed(1)} (≤ ${bound})`,
  );
  return told.length === 0 ? 'holds' : `breaks ${told.join(', ')}`;
}

/** Returns the 99 % and the longest lag of these looks; 0 without any. */
export function lagOf(looks: readonly Look[]): { p99Seconds: number; mostSeconds: number } {
  const sorted = looks.map(({ lagSeconds }) => lagSeconds).toSorted((one, other) => one - other);
  const at = Math.max(0, Math.ceil(sorted.length * 0.99) - 1);
  return { p99Seconds: sorted[at] ?? 0, mostSeconds: sorted.at(-1) ?? 0 };
}

/** Returns by how much the mean of the last third of the looks is above that of the first third. */
export function growthOf(looks: readonly Look[], figure: (look: Look) => number): number {
  const third = Math.floor(looks.length / 3);
  if (third === 0) return 0;
  const meanOf = (some: readonly Look[]) =>
    some.reduce((sum, look) => sum + figure(look), 0) / some.length;
  return meanOf(looks.slice(-third)) - meanOf(looks.slice(0, third));
}
