import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { pinSubjects, type Surroundings } from '../comparison/surroundings.ts';
import { warmUp } from '../comparison/warm-up.ts';
import { type Costs, costsOf, usedBy } from './costs.ts';
import { growthOf, lagOf, whyNotSustained } from './holds.ts';
import { peakOf, type TrialOptions, tryRate } from './trial.ts';

export interface SustainedOptions {
  readonly surroundings: Surroundings;
  /** The time for which the rate must hold. */
  readonly seconds: number;
  readonly isQuick: boolean;
  readonly onProgress: (line: string) => void;
}

export interface Sustained {
  readonly sustained_rps: number | null;
  readonly vs_bare: number | null;
  readonly vs_portkey: number | null;
  readonly lag_p99_s: number;
  readonly lag_max_s: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly added_p99_ms: number;
  /** In a closed loop, requests a second. */
  readonly peaks_rps: Readonly<Partial<Record<SubjectName, number>>>;
  readonly memory_bytes_per_second: number;
  readonly costs: Costs | null;
  /** The highest rate that was tried at which the 99 % were longer by so many milliseconds at most. */
  readonly frontier: readonly Frontier[];
  /** The rates above it, and the reasons why they are not sustained. */
  readonly refused: readonly { readonly rps: number; readonly why: readonly string[] }[];
}

export interface Frontier {
  readonly added_p99_ms_max: number;
  readonly rps: number | null;
}

const shape = { bodyBytes: 200, isStreaming: false };
const connections = 128;
const peerConnections = 32;
const peakMs = 10_000;
export const warmUpMsMax = 60_000;
export const quickWarmUpMsMax = 10_000;
const firstShare = 0.9;
const stepShare = 0.9;
const shortSeconds = 20;
const triesMax = 12;
const frontierShares = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1] as const;
const frontierSeconds = 6;
const frontierBoundsMs = [1, 5, 10, 50] as const;

/**
 * Finds the highest rate that the whole machine serves for so long without an error, with books that keep up. The
 * peers are measured on one processor in a closed loop, as the bare proxy is in `make bench`.
 */
export async function sustainedBench(options: SustainedOptions): Promise<Sustained> {
  const { surroundings, isQuick, onProgress } = options;
  const subjectOf = (wanted: (subject: Subject) => boolean) => surroundings.subjects.find(wanted);
  const direct = subjectOf(({ name }) => name === 'direct');
  const product = subjectOf(({ name }) => name.startsWith('sluice'));
  if (!direct || !product) throw new Error('There is nothing to measure');
  await warmUp(surroundings, isQuick ? quickWarmUpMsMax : warmUpMsMax, onProgress);
  const peaks_rps: Partial<Record<SubjectName, number>> = {};
  const peers = surroundings.subjects.filter(({ name }) => name === 'bare' || name === 'portkey');
  await pinSubjects({ ...surroundings, subjects: peers });
  for (const peer of peers) {
    const target = { ...(await targetOf(peer)), connections: peerConnections };
    peaks_rps[peer.name] = await peakOf(surroundings, target, peakMs);
    onProgress(`${peer.name}: ${peaks_rps[peer.name]?.toFixed(0)}/s`);
  }
  const target = await targetOf(product);
  const peak = await peakOf(surroundings, target, peakMs);
  peaks_rps[product.name] = peak;
  onProgress(`${product.name}: ${peak.toFixed(0)}/s in a closed loop`);
  const trial = { surroundings, subject: product, target, direct: await targetOf(direct) };
  const found = await highestRate(options, trial, peak * firstShare);
  const rps = found.sustained_rps ?? peak * firstShare;
  const frontier = await frontierOf(options, trial, rps);
  const ratioTo = (name: SubjectName) => {
    const other = peaks_rps[name];
    return other === undefined || found.sustained_rps === null ? null : found.sustained_rps / other;
  };
  return {
    ...found,
    vs_bare: ratioTo('bare'),
    vs_portkey: ratioTo('portkey'),
    peaks_rps,
    frontier,
  };
}

/** Rates from above: each is tried for a while, and for the whole time when that holds. */
async function highestRate(
  { seconds, onProgress }: SustainedOptions,
  trial: TrialOptions,
  first: number,
): Promise<Omit<Sustained, 'vs_bare' | 'vs_portkey' | 'peaks_rps' | 'frontier'>> {
  const refused: { rps: number; why: readonly string[] }[] = [];
  let rate = first;
  for (;;) {
    const isShort = seconds > shortSeconds;
    const short = isShort ? await tryRate(trial, rate, shortSeconds) : undefined;
    let why = short ? whyNotSustained(short) : [];
    let whole = short;
    let costs: Costs | null = null;
    if (why.length === 0) {
      onProgress(`${rate.toFixed(0)}/s for ${seconds} s`);
      const before = await usedBy(trial.subject, trial.surroundings.garbageFolder);
      whole = await tryRate(trial, rate, seconds);
      costs = costsOf(
        before,
        await usedBy(trial.subject, trial.surroundings.garbageFolder),
        whole.answered,
      );
      why = whyNotSustained(whole);
    }
    const isOver = why.length === 0 || refused.length + 1 >= triesMax;
    if (why.length > 0) {
      onProgress(`${rate.toFixed(0)}/s is not sustained: ${why.join(', ')}`);
      refused.push({ rps: rate, why });
    }
    if (isOver && whole) {
      const { looks, requestsPerSecond, errors, p50Ms, p99Ms, added_p99Ms } = whole;
      const lag = lagOf(looks);
      return {
        sustained_rps: why.length === 0 ? requestsPerSecond : null,
        lag_p99_s: lag.p99Seconds,
        lag_max_s: lag.mostSeconds,
        errors,
        p50_ms: p50Ms,
        p99_ms: p99Ms,
        added_p99_ms: added_p99Ms,
        memory_bytes_per_second:
          growthOf(looks, ({ residentBytes }) => residentBytes) / ((whole.seconds * 2) / 3),
        costs,
        refused,
      };
    }
    rate *= stepShare;
  }
}

async function frontierOf(
  { onProgress }: SustainedOptions,
  trial: TrialOptions,
  rps: number,
): Promise<readonly Frontier[]> {
  const points: { readonly rate: number; readonly addedMs: number }[] = [];
  for (const share of frontierShares) {
    const { errors, added_p99Ms } = await tryRate(trial, rps * share, frontierSeconds);
    onProgress(`${(rps * share).toFixed(0)}/s: p99 is ${added_p99Ms.toFixed(1)} ms longer`);
    if (errors === 0) points.push({ rate: rps * share, addedMs: added_p99Ms });
  }
  return frontierBoundsMs.map((bound) => {
    const within = points.filter(({ addedMs }) => addedMs <= bound).map(({ rate }) => rate);
    return { added_p99_ms_max: bound, rps: within.length > 0 ? Math.max(...within) : null };
  });
}

/** Returns the request of the bench to a subject. */
export async function targetOf(subject: Subject) {
  const expectation = await probe(subject, shape, plainBehaviour.deltas);
  return { port: subject.port, request: requestOf(subject, shape), expectation, connections };
}
