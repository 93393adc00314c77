import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import type { Surroundings } from './surroundings.ts';

const connections = 32;
const sliceMs = 1_000;
/** A slice that gained less than that over the best one before gained nothing; after two of them it is over. */
const gainMin = 0.03;
const vainMax = 2;

/**
 * Compiled code, full pools, caches that know the key: what a server has that has run for a while.
 * Everyone is asked until a request costs the processor no less than it did, in each mode for so long
 * at most: who has more code takes longer.
 */
export async function warmUp(
  { load, upstream, subjects }: Surroundings,
  msMax: number,
  onProgress: (line: string) => void,
): Promise<void> {
  await upstream.behave(plainBehaviour);
  for (const subject of subjects) {
    onProgress(`${subject.name} warms up`);
    for (const isStreaming of [false, true]) {
      const shape = { bodyBytes: 1_024, isStreaming };
      const expectation = await probe(subject, shape, plainBehaviour.deltas);
      const target = { port: subject.port, request: requestOf(subject, shape), expectation };
      const send = () => load.closedLoop({ ...target, connections, sendingMs: sliceMs });
      await untilSettled(subject, async () => (await send()).answeredInTime, msMax);
    }
  }
}

async function untilSettled(
  subject: Subject,
  slice: () => Promise<number>,
  msMax: number,
): Promise<void> {
  const pids = await subject.pids();
  const endMs = performance.now() + msMax;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let vain = 0; vain < vainMax && performance.now() + sliceMs <= endMs;) {
    const before = await usageOf(pids);
    const answered = await slice();
    const { usage } = await settledUsage(pids);
    const costMs = (usage.cpuMs - before.cpuMs) / Math.max(1, answered);
    vain = costMs > bestMs * (1 - gainMin) ? vain + 1 : 0;
    bestMs = Math.min(bestMs, costMs);
  }
}
