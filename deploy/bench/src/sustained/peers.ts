import { pinSubjects } from '../comparison/surroundings.ts';
import type { LoadResult } from '../harness/load/tally.ts';
import { usageOf } from '../harness/machine/usage.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import type { SustainedOptions } from './options.ts';
import { targetOf } from './target.ts';
import { aloneSeconds } from './timetable.ts';

/**
 * Processor time of a request by the bare proxy. It does the same at each rate: what it takes more for a request that
 * comes alone is the cost of this machine.
 */
export interface BareCosts {
  readonly peak: number;
  readonly at_100_per_second: number;
}

interface Peers {
  /** In a closed loop, requests a second. */
  readonly peaks_rps: Readonly<Partial<Record<SubjectName, number>>>;
  readonly bare_us: BareCosts | null;
}

const connections = 32;
const aloneRps = 100;

/** Measures the peers on one processor each: their peaks in a closed loop, and what the bare proxy costs. */
export async function measurePeers(
  { surroundings, timetable, onProgress }: SustainedOptions,
  peers: readonly Subject[],
): Promise<Peers> {
  const { load } = surroundings;
  await pinSubjects({ ...surroundings, subjects: peers });
  const peaks: Partial<Record<SubjectName, number>> = {};
  let bare_us: BareCosts | null = null;
  for (const peer of peers) {
    const target = { ...(await targetOf(peer)), connections };
    const sendingMs = timetable.peakMs;
    const atPeak = await costOf(peer, () => load.closedLoop({ ...target, sendingMs }));
    const peak = (atPeak.result.answeredInTime * 1_000) / sendingMs;
    onProgress(`${peer.name}: ${peak.toFixed(0)}/s`);
    peaks[peer.name] = peak;
    if (peer.name !== 'bare') continue;
    const rate = { requestsPerSecond: aloneRps, sendingMs: aloneSeconds * 1_000 };
    const alone = await costOf(peer, () => load.openLoop({ ...target, ...rate }));
    bare_us = { peak: atPeak.us, at_100_per_second: alone.us };
  }
  return { peaks_rps: peaks, bare_us };
}

/** Returns the processor time of a request, µs, and what came of all. */
async function costOf(subject: Subject, offer: () => Promise<LoadResult>) {
  const pids = await subject.pids();
  const before = await usageOf(pids);
  const result = await offer();
  const after = await usageOf(pids);
  return { result, us: ((after.cpuMs - before.cpuMs) * 1_000) / result.answered };
}
