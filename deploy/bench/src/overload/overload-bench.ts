import { isRefusal } from '../harness/load/expectation.ts';
import type { LoadTarget } from '../harness/load/closed-loop.ts';
import type { Load } from '../harness/load/load.ts';
import type { LoadResult } from '../harness/load/tally.ts';
import { usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Surroundings } from '../comparison/surroundings.ts';
import type { SubjectPids } from '../subjects/subject.ts';
import { probe } from '../subjects/probe.ts';
import { showProgress as onProgress } from '../program.ts';
import { requestOf } from '../subjects/request.ts';
import { startManaging } from './managing.ts';
import type { OverloadFigures } from './verdict.ts';

export interface OverloadOptions {
  /** The duration of the overload. */
  readonly seconds: number;
  /** Streams of 32 words instead of whole answers. */
  readonly isStreaming: boolean;
  /** Requests that are offered a second. Three times as many as can be served if absent. */
  readonly offeredPerSecond?: number | undefined;
}

const bodyBytes = 200;
const overloadFactor = 3;
/** With the search for the peak more than half a minute of work: by then V8's threads give way to the main one. */
const warmUpMs = 20_000;
const peakMs = 4_000;
const peakConnections = [32, 64, 128] as const;
const calmShare = 0.5;
const calmMs = 4_000;
const calmConnections = 128;
/** More clients than may wait and be served together, so that refused clients do not limit the load. */
const overloadConnections = 1_500;
const recoveryLooks = 15;
const recoveryLookMs = 500;
function servedOf(over: LoadResult, isStreaming: boolean) {
  const { p50Ms, p99Ms, mostMs } = isStreaming ? over.firstDeltas : over.latencies;
  return {
    servedPerSecond: perSecond(over),
    served_p50Ms: p50Ms,
    served_p99Ms: p99Ms,
    served_mostMs: mostMs,
    refusedPerSecond: (totalOf(over.faults, isRefusal) * 1_000) / over.sendingMs,
    refused_p50Ms: over.refusals.p50Ms,
    refused_p99Ms: over.refusals.p99Ms,
  };
}

/** Clients that keep their connection and send the next request after each answer. */
const keptClients = 1_000;
const keptMs = 10_000;
/** The service has recovered if its p99 is within this factor, or this many milliseconds, of the earlier one. */
const asBeforeFactor = 2;
const asBeforeMs = 10;

/**
 * Offers three times as much as can be served, for so long, and says what came of it. Before that, 1,000 clients send
 * one request after the other: right after the start, and when the subject is warm.
 */
export async function overloadBench(
  surroundings: Surroundings,
  { seconds, isStreaming, offeredPerSecond }: OverloadOptions,
): Promise<OverloadFigures> {
  const [subject] = surroundings.subjects;
  if (!subject) throw new Error('There is nothing to overload');
  const { load, upstream, pinning } = surroundings;
  const pids = await subject.pids();
  // PostgreSQL, NATS and the books may use each processor: on that of the load alone they would get what it leaves.
  await pinning.pin('subject', pids.measured);
  // Otherwise their delay would seem to be the subject's.
  const loadGoesFirst = await pinning.goFirst([load.pid, upstream.pid]);
  const shape = { bodyBytes, isStreaming };
  const expectation = await probe(subject, shape, plainBehaviour.deltas);
  const target = { port: subject.port, request: requestOf(subject, shape), expectation };
  const offer = (requestsPerSecond: number, connections: number, sendingMs: number) =>
    load.openLoop({ ...target, requestsPerSecond, connections, sendingMs });

  onProgress(`${keptClients} clients right after the start`);
  const cold_unserved = await unservedOf(load, target);
  onProgress('the most that can be served');
  await load.closedLoop({ ...target, connections: calmConnections, sendingMs: warmUpMs });
  const warm_unserved = await unservedOf(load, target);
  const first = await measurePeak(load, target, pids);
  const calmPerSecond = first.perSecond * calmShare;
  const before = await offer(calmPerSecond, calmConnections, calmMs);
  const managing = startManaging(subject);
  const usedBefore = await usageOf(pids);
  const offered = offeredPerSecond ?? first.perSecond * overloadFactor;
  onProgress(
    `${offered.toFixed(0)}/s for ${seconds} s, of ${first.perSecond.toFixed(0)}/s at the peak`,
  );
  const over = await offer(offered, overloadConnections, seconds * 1_000);
  const endedMs = performance.now();
  const used = await usageOf(pids);
  const managed = await managing?.stop();
  onProgress('afterwards');
  const before_p99Ms = before.latencies.p99Ms;
  const slowestMs = Math.max(before_p99Ms * asBeforeFactor, before_p99Ms + asBeforeMs);
  const recoverySeconds = await secondsUntil(endedMs, async () => {
    const after = await offer(calmPerSecond, calmConnections, recoveryLookMs);
    const isFaultless = Object.keys(after.faults).length === 0;
    return isFaultless && after.latencies.p99Ms <= slowestMs;
  });
  const last = await measurePeak(load, target, pids);
  const peak_cpuUsPerRequest = Math.min(first.cpuUsPerRequest, last.cpuUsPerRequest);
  const others = Object.entries(over.faults).filter(([fault]) => !isRefusal(fault));
  return {
    // Whatever else went on in this machine: the better of before and after.
    peakPerSecond: Math.max(first.perSecond, last.perSecond),
    peak_cpuUsPerRequest,
    busyShare: (used.cpuMs - usedBefore.cpuMs) / (used.atMs - usedBefore.atMs),
    refusal_cpuUs: refusalCpuUs(over, used.cpuMs - usedBefore.cpuMs, peak_cpuUsPerRequest),
    offeredPerSecond: (over.sentInTime * 1_000) / over.sendingMs,
    ...servedOf(over, isStreaming),
    loadGoesFirst,
    load_late_p99Ms: over.lateness.p99Ms,
    faults: Object.fromEntries(others),
    cold_unserved,
    warm_unserved,
    ...managed,
    before_p99Ms,
    recoverySeconds,
  };
}

/** Clients that keep their connections send one request after the other. Returns how many were not served. */
async function unservedOf(load: Load, target: Omit<LoadTarget, 'connections'>): Promise<number> {
  const loop = { ...target, connections: keptClients, sendingMs: keptMs };
  const { faults } = await load.closedLoop(loop);
  return totalOf(faults, () => true);
}

async function measurePeak(
  load: Load,
  target: Omit<LoadTarget, 'connections'>,
  pids: SubjectPids,
): Promise<Peak> {
  let best: Peak = { perSecond: 0, cpuUsPerRequest: 0 };
  for (const connections of peakConnections) {
    const { cpuMs } = await usageOf(pids);
    const served = perSecond(await load.closedLoop({ ...target, connections, sendingMs: peakMs }));
    const usedUs = ((await usageOf(pids)).cpuMs - cpuMs) * 1_000;
    const cpuUsPerRequest = (usedUs * 1_000) / (served * peakMs);
    if (served > best.perSecond) best = { perSecond: served, cpuUsPerRequest };
  }
  return best;
}

/** From a moment until a look began that found all well; null where none of so many did. */
async function secondsUntil(sinceMs: number, isWell: () => Promise<boolean>) {
  for (let look = 0; look < recoveryLooks; look += 1) {
    const beganMs = performance.now();
    if (await isWell()) return (beganMs - sinceMs) / 1_000;
  }
  return null;
}

interface Peak {
  readonly perSecond: number;
  readonly cpuUsPerRequest: number;
}

/** Returns the processor time of a refusal, if an answer took as much of it as at the peak. */
function refusalCpuUs({ answered, faults }: LoadResult, usedMs: number, answerUs: number): number {
  return (usedMs * 1_000 - answered * answerUs) / totalOf(faults, isRefusal);
}

const perSecond = ({ answeredInTime, sendingMs }: LoadResult) =>
  (answeredInTime * 1_000) / sendingMs;

function totalOf(
  faults: Readonly<Record<string, number>>,
  isCounted: (fault: string) => boolean,
): number {
  const counted = Object.entries(faults).filter(([fault]) => isCounted(fault));
  return counted.reduce((sum, [, count]) => sum + count, 0);
}
