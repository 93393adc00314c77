import type { Broken } from './holds.ts';
import { confirmationsMin, ladderShares, probes, type Timetable } from './timetable.ts';

/** A rate that was tried, and the bounds that it broke. */
export interface Tried {
  readonly rps: number;
  readonly seconds: number;
  readonly added_p99_ms: number;
  readonly errors: number;
  readonly broken: readonly Broken[];
}

/** A rate that is offered for so long at most. */
export interface OfferedRate {
  readonly rps: number;
  readonly seconds: number;
  /** The trial is over as soon as it cannot hold any more. Otherwise its p99 is that of the whole time. */
  readonly endsWhenLost: boolean;
}

/** Above that, a step of the ladder ends it: higher rates are worse. */
export const hopelessMs = 50;
/** Big steps: what broke a rate for the whole time is seldom gone a tenth below. */
const fallbackShare = 0.6;
/** A confirmation ends with the first bound it breaks for good: then another may fit into the time. */
const confirmationsMax = 8;

/**
 * Tries rates for a short while each. The first ones are a ladder of shares of the peak, from below. Then comes the
 * lowest rate that did not hold once more, and then the middle between the highest that held and the lowest above it
 * that did not. Returns all of them.
 */
export async function probeRates<One extends Tried>(
  peak: number,
  { stepSeconds, probeSeconds }: Pick<Timetable, 'stepSeconds' | 'probeSeconds'>,
  tryRate: (rate: OfferedRate) => Promise<One>,
): Promise<readonly One[]> {
  const tried: One[] = [];
  for (const share of ladderShares) {
    const step = await tryRate({
      rps: peak * share,
      seconds: stepSeconds,
      endsWhenLost: false,
    });
    tried.push(step);
    if (step.errors > 0 || !(step.added_p99_ms <= hopelessMs)) break;
  }
  for (let probe = 0; probe < probes; probe += 1) {
    const { held, notHeld } = bracketOf(tried, peak);
    const rps = probe === 0 ? notHeld : (held + notHeld) / 2;
    tried.push(await tryRate({ rps, seconds: probeSeconds, endsWhenLost: true }));
  }
  return tried;
}

/** Returns the highest rate that held, and the lowest above it that did not. */
export function bracketOf(tried: readonly Tried[], peak: number) {
  const ratesOf = (some: readonly Tried[]) => some.map(({ rps }) => rps);
  const held = Math.max(0, ...ratesOf(tried.filter(({ broken }) => broken.length === 0)));
  const above = tried.filter(({ broken, rps }) => broken.length > 0 && rps > held);
  return { held, notHeld: Math.min(peak, ...ratesOf(above)) };
}

/**
 * Tries a rate for the whole time, and 60 % of it when it does not hold. Goes on like that while the time that is left
 * suffices for another. Returns all of them: only the last can have held.
 */
export async function confirmRate<One extends Tried>(
  rps: number,
  hasTime: () => boolean,
  confirm: (rps: number) => Promise<One>,
): Promise<readonly One[]> {
  const tried: One[] = [];
  for (let rate = rps; tried.length < confirmationsMax; rate *= fallbackShare) {
    if (tried.length >= confirmationsMin && !hasTime()) break;
    const confirmed = await confirm(rate);
    tried.push(confirmed);
    if (confirmed.broken.length === 0) break;
  }
  return tried;
}
