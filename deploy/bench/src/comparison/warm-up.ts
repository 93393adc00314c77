import type { LoadTarget } from '../harness/load/closed-loop.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import type { Surroundings } from './surroundings.ts';

const connections = 128;
const sliceMs = 1_000;
/** A slice that gained less than that over the best one before gained nothing; after five of them it is over. */
const gainMin = 0.03;
const vainMax = 5;
/** Processes cost the most in their first seconds at full load. Another door of the same has less to compile. */
const processMsMin = 25_000;
const doorMsMin = 5_000;

/**
 * Compiled code, full pools, caches that know the key: what a server has that has run for a while.
 * Everyone is asked, in both modes in turn, until a request costs the processor no less than it did, for 25 s at
 * least and for so long at most: who has more code takes longer.
 */
export async function warmUp(
  { load, upstream, subjects }: Surroundings,
  msMax: number,
  onProgress: (line: string) => void,
): Promise<void> {
  await upstream.behave(plainBehaviour);
  const warm = new Set<number>();
  for (const subject of subjects) {
    const { measured } = await subject.pids();
    const isNew = measured.some((pid) => !warm.has(pid));
    const msMin = isNew && subject.name !== 'direct' ? processMsMin : doorMsMin;
    for (const pid of measured) warm.add(pid);
    onProgress(`${subject.name} warms up`);
    const targets = [await targetOf(subject, false)];
    if (!subject.door.makesVectors) targets.push(await targetOf(subject, true));
    await untilSettled(subject, { msMin, msMax }, async () => {
      let answered = 0;
      for (const target of targets)
        answered += (await load.closedLoop({ ...target, sendingMs: sliceMs })).answeredInTime;
      return answered;
    });
    await settledUsage(await subject.pids());
  }
}

async function targetOf(subject: Subject, isStreaming: boolean): Promise<LoadTarget> {
  const shape = { bodyBytes: 1_024, isStreaming };
  const expectation = await probe(subject, shape, plainBehaviour.deltas);
  return { port: subject.port, request: requestOf(subject, shape), expectation, connections };
}

async function untilSettled(
  subject: Subject,
  { msMin, msMax }: { readonly msMin: number; readonly msMax: number },
  slice: () => Promise<number>,
): Promise<void> {
  const pids = await subject.pids();
  const startMs = performance.now();
  const hasLasted = (ms: number) => performance.now() - startMs >= ms;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let vain = 0; !(vain >= vainMax && hasLasted(msMin)) && !hasLasted(msMax);) {
    const before = await usageOf(pids);
    const answered = await slice();
    const after = await usageOf(pids);
    const costMs = (after.cpuMs - before.cpuMs) / Math.max(1, answered);
    vain = costMs > bestMs * (1 - gainMin) ? vain + 1 : 0;
    bestMs = Math.min(bestMs, costMs);
  }
}
