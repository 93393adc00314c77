/** Bounds the time of each part of the bench. */
export interface Timetable {
  /** Each subject is warmed up for so long at most. */
  readonly warmUpMsMax: number;
  /** A closed loop that finds a peak. */
  readonly peakMs: number;
  /** The request without anything in between, before each trial. */
  readonly directMs: number;
  /** A step of the ladder of rates. */
  readonly stepSeconds: number;
  /** A probe between a rate that held and one that did not. */
  readonly probeSeconds: number;
  readonly settleMsMax: number;
  /** The rate that is found must hold for so long. */
  readonly seconds: number;
}

/** Shares of the peak that are tried first, from below. */
export const ladderShares = [0.1, 0.25, 0.4, 0.6, 0.8] as const;
/** The lowest rate that did not hold is tried again first, for longer: a hiccup ends a step. */
export const probes = 3;
/** The rate that was found, and two fallbacks. */
export const confirmationsMin = 3;
/** The subject with no gateway has only the upstream to warm up. */
const directWarmUpSeconds = 10;
/** After the full load of the warm-up and the peak, the books have so long to catch up. */
export const catchUpSeconds = 15;
/** The bare proxy gets so few requests that each comes alone. */
export const aloneSeconds = 5;
const longSeconds = 300;

/** Returns the times for a rate that must hold for so many seconds: 21 min in all for 300 s, 7 min for 60 s. */
export function timetableFor(seconds: number, isQuick: boolean): Timetable {
  const isLong = seconds >= longSeconds;
  return {
    warmUpMsMax: isQuick ? 10_000 : isLong ? 32_000 : 22_000,
    peakMs: isLong ? 6_000 : 4_000,
    directMs: isLong ? 2_000 : 1_000,
    stepSeconds: isLong ? 6 : 3,
    probeSeconds: isLong ? 20 : Math.min(10, seconds),
    settleMsMax: isLong ? 5_000 : 2_000,
    seconds,
  };
}

/** Returns the seconds that all of it takes at most with so many peers. */
export function secondsMaxOf(timetable: Timetable, peers: number): number {
  const { warmUpMsMax, peakMs, directMs, settleMsMax, stepSeconds, probeSeconds, seconds } =
    timetable;
  const subjects = peers + 1;
  const trialSeconds = (sending: number) => sending + (directMs + settleMsMax) / 1_000;
  return Math.ceil(
    Math.min(directWarmUpSeconds, warmUpMsMax / 1_000) +
      (subjects * (warmUpMsMax + peakMs)) / 1_000 +
      catchUpSeconds +
      aloneSeconds +
      ladderShares.length * trialSeconds(stepSeconds) +
      probes * trialSeconds(probeSeconds) +
      confirmationsMin * trialSeconds(seconds),
  );
}
