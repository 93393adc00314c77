import type { Look } from './looks.ts';

/** A rate that was offered for a while, and what came of it. */
export interface Trial {
  readonly requestsPerSecond: number;
  readonly seconds: number;
  readonly answered: number;
  /** Answers that were wrong, and requests without any. */
  readonly errors: number;
  readonly added_p99Ms: number;
  readonly looks: readonly Look[];
}

/** Bounds within which a rate is sustained. */
export const bounds = {
  added_p99MsMax: 20,
  lag_p99SecondsMax: 2,
  /** Between the first and the last third of a trial. */
  lagGrowthSecondsMax: 0.5,
  /** The same for facts that wait to be counted: so many seconds of the offered rate. */
  uncountedGrowthSecondsMax: 1,
  spoolGrowthBytesMax: 8 * 1024 * 1024,
} as const;

/** Returns the sentences that say why the rate is not sustained; none if it is. */
export function whyNotSustained(trial: Trial): readonly string[] {
  const { looks, requestsPerSecond, errors, added_p99Ms } = trial;
  const lag = lagOf(looks);
  const grown = (figure: (look: Look) => number) => growthOf(looks, figure);
  const lagGrowth = grown(({ lagSeconds }) => lagSeconds);
  const uncountedSeconds = grown(({ uncounted }) => uncounted) / requestsPerSecond;
  const spoolBytes = grown((look) => look.spoolBytes);
  const found: (readonly [isBroken: boolean, sentence: string])[] = [
    [errors > 0, `${errors} requests failed`],
    [!(added_p99Ms <= bounds.added_p99MsMax), `p99 is ${added_p99Ms.toFixed(1)} ms longer`],
    [lag.p99Seconds > bounds.lag_p99SecondsMax, `the lag is ${lag.p99Seconds.toFixed(1)} s`],
    [lagGrowth > bounds.lagGrowthSecondsMax, `the lag grew by ${lagGrowth.toFixed(1)} s`],
    [
      uncountedSeconds > bounds.uncountedGrowthSecondsMax,
      `uncounted facts grew by ${uncountedSeconds.toFixed(1)} s of the rate`,
    ],
    [
      spoolBytes > bounds.spoolGrowthBytesMax,
      `the spool grew by ${(spoolBytes / 1_048_576).toFixed(1)} MiB`,
    ],
  ];
  return found.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
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
