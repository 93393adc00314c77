import type { Subject, SubjectName } from '../subjects/subject.ts';
import { warmUp } from '../comparison/warm-up.ts';
import { type Costs, costsOf, usedBy } from './costs.ts';
import { type Broken, growthOf, lagOf, sentenceOf } from './holds.ts';
import { bracketOf, confirmRate, type OfferedRate, probeRates, type Tried } from './search.ts';
import { untilCounted } from './looks.ts';
import { type BareCosts, measurePeers } from './peers.ts';
import type { SustainedOptions } from './options.ts';
import { targetOf } from './target.ts';
import { catchUpSeconds, secondsMaxOf } from './timetable.ts';
import { type FullTrial, peakOf, type TrialOptions, tryRate } from './trial.ts';

export interface Sustained {
  /** Null: no rate held. The figures below are those of the lowest rate that was tried for the whole time then. */
  readonly sustained_rps: number | null;
  readonly vs_bare: number | null;
  readonly vs_portkey: number | null;
  readonly lag_p99_s: number;
  readonly lag_max_s: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly added_p99_ms: number;
  /** The bounds that this rate broke, and by which figures. */
  readonly broken: readonly Broken[];
  /** In a closed loop, requests a second. */
  readonly peaks_rps: Readonly<Partial<Record<SubjectName, number>>>;
  /** Null: the bare proxy is no peer. */
  readonly bare_us: BareCosts | null;
  readonly memory_bytes_per_second: number;
  readonly costs: Costs;
  /** The highest rate that was tried at which the 99 % were longer by so many milliseconds at most. */
  readonly frontier: readonly Frontier[];
  /** All rates, in the order in which they were tried. */
  readonly tried: readonly Tried[];
}

export interface Frontier {
  readonly added_p99_ms_max: number;
  readonly rps: number | null;
}

const frontierBoundsMs = [1, 5, 10, 50] as const;

/**
 * Finds the highest rate that the whole machine serves for so long without an error, with books that keep up. The
 * peers are measured on one processor in a closed loop, as the bare proxy is in `make bench`.
 */
export async function sustainedBench(options: SustainedOptions): Promise<Sustained> {
  const { surroundings, timetable, onProgress } = options;
  const subjectOf = (wanted: (subject: Subject) => boolean) => surroundings.subjects.find(wanted);
  const direct = subjectOf(({ name }) => name === 'direct');
  const product = subjectOf(({ name }) => name === 'floor' || name.startsWith('sluice'));
  if (!direct || !product) throw new Error('There is nothing to measure');
  const peers = surroundings.subjects.filter(({ name }) => name === 'bare' || name === 'portkey');
  const secondsMax = secondsMaxOf(timetable, peers.length);
  onProgress(`It takes ${(secondsMax / 60).toFixed(1)} min at most`);
  const deadlineMs = performance.now() + secondsMax * 1_000;
  // Before the warm-up: a product whose books are behind would refuse the probe.
  const target = await targetOf(product);
  await warmUp(surroundings, timetable.warmUpMsMax, onProgress);
  const { bare_us, ...ofPeers } = await measurePeers(options, peers);
  const peak = await peakOf(surroundings, target, timetable.peakMs);
  const peaks_rps = { ...ofPeers.peaks_rps, [product.name]: peak };
  onProgress(`${product.name}: ${peak.toFixed(0)}/s in a closed loop`);
  await untilCounted(product, catchUpSeconds);
  const toDirect = await targetOf(direct);
  const trial = { surroundings, subject: product, target, direct: toDirect, timetable };
  const { tried, last, costs } = await findRate(options, trial, { peak, deadlineMs });
  return { ...figuresOf(last, peaks_rps), bare_us, costs, frontier: frontierOf(tried), tried };
}

type Peaks = Sustained['peaks_rps'];

/** Returns the figures of the last rate that was tried for the whole time. */
function figuresOf(
  last: FullTrial,
  peaks_rps: Peaks,
): Omit<Sustained, 'bare_us' | 'costs' | 'frontier' | 'tried'> {
  const { rps, seconds, looks, errors, p50_ms, p99_ms, added_p99_ms, broken } = last;
  const lag = lagOf(looks);
  const sustained_rps = broken.length === 0 ? rps : null;
  const ratioTo = (name: SubjectName) => {
    const other = peaks_rps[name];
    return other === undefined || sustained_rps === null ? null : sustained_rps / other;
  };
  return {
    sustained_rps,
    vs_bare: ratioTo('bare'),
    vs_portkey: ratioTo('portkey'),
    lag_p99_s: lag.p99Seconds,
    lag_max_s: lag.mostSeconds,
    errors,
    p50_ms,
    p99_ms,
    added_p99_ms,
    broken,
    peaks_rps,
    memory_bytes_per_second:
      growthOf(looks, ({ residentBytes }) => residentBytes) / ((seconds * 2) / 3),
  };
}

/** Finds the highest rate that holds for a short while, and tries that for the whole time. */
async function findRate(
  { timetable, surroundings: { garbageFolder }, onProgress }: SustainedOptions,
  trial: TrialOptions,
  { peak, deadlineMs }: { readonly peak: number; readonly deadlineMs: number },
) {
  const offer = async (rate: OfferedRate): Promise<FullTrial> => {
    const { rps, seconds } = rate;
    onProgress(`${rps.toFixed(0)}/s for ${seconds} s`);
    const tried = await tryRate(trial, rate);
    onProgress(`  p99 ${tried.added_p99_ms.toFixed(1)} ms longer: ${sentenceOf(tried.broken)}`);
    return tried;
  };
  const probed = await probeRates(peak, timetable, offer);
  const lowest = Math.min(...probed.map(({ rps }) => rps));
  const found = bracketOf(probed, peak).held || lowest;
  const { seconds } = timetable;
  const hasTime = () => performance.now() + seconds * 1_000 <= deadlineMs;
  let costs: Costs | undefined;
  const confirmed = await confirmRate(found, hasTime, async (rps) => {
    const before = await usedBy(trial.subject, garbageFolder);
    const tried = await offer({ rps, seconds, endsWhenLost: true });
    costs = costsOf(before, await usedBy(trial.subject, garbageFolder), tried.answered);
    return tried;
  });
  const last = confirmed.at(-1);
  if (last === undefined || costs === undefined) throw new Error('No rate was tried');
  const tried = [...probed, ...confirmed].map(({ rps, seconds: tookSeconds, ...one }): Tried => {
    const { added_p99_ms, errors, broken } = one;
    return { rps, seconds: tookSeconds, added_p99_ms, errors, broken };
  });
  return { tried, last, costs };
}

/** Returns for each bound the highest rate without an error whose 99 % were within it. */
function frontierOf(tried: readonly Tried[]): readonly Frontier[] {
  return frontierBoundsMs.map((bound) => {
    const within = tried.filter(
      ({ errors, added_p99_ms }) => errors === 0 && added_p99_ms <= bound,
    );
    const rps = within.length === 0 ? null : Math.max(...within.map((one) => one.rps));
    return { added_p99_ms_max: bound, rps };
  });
}
