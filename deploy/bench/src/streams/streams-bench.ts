import { setTimeout as delay } from 'node:timers/promises';
import { pinSubjects, withSurroundings } from '../comparison/surroundings.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { type Measure, measured } from '../measure.ts';
import { showProgress } from '../program.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { SubjectName } from '../subjects/subject.ts';
import { startWatch } from './watch.ts';

export interface StreamsOptions {
  readonly name: SubjectName;
  readonly streams: number;
  readonly seconds: number;
}

const shape = { bodyBytes: 200, isStreaming: true };
/** About as fast as a model speaks, for longer than it is looked at. */
const behaviour = { delayMs: 0, deltas: 4_000, deltaGapMs: 50 };
const beginningMs = 5_000;
const sipEveryMs = 500;
const settleMs = 3_000;
const mebibyte = 1024 * 1024;

/** Measures so many live streams whose clients read in sips: what they cost, and what they delay. */
export async function streamsBench(options: StreamsOptions): Promise<readonly Measure[]> {
  const { name, streams, seconds } = options;
  return await withSurroundings({ names: [name] }, async (surroundings) => {
    const { load, upstream, subjects } = surroundings;
    const [subject] = subjects;
    if (!subject) throw new Error('There is nothing to stream');
    await pinSubjects(surroundings);
    await probe(subject, shape, plainBehaviour.deltas);
    const pids = await subject.pids();
    const idleBytes = await residentBytesOf(pids.measured);
    await upstream.behave(behaviour);
    showProgress(`${streams} streams, each read every ${sipEveryMs} ms, for ${seconds} s`);
    const watch = startWatch(subject, pids.measured);
    const before = await usageOf(pids);
    const read = await load.readSlowly({
      port: subject.port,
      request: requestOf(subject, shape),
      streams,
      beginningMs,
      readingMs: seconds * 1_000,
      sipEveryMs,
    });
    const after = await usageOf(pids);
    const { residentBytesMax, turns } = await watch.stop();
    await upstream.behave(plainBehaviour);
    await delay(settleMs);
    await probe(subject, shape, plainBehaviour.deltas);
    const afterwardsBytes = await residentBytesOf(pids.measured);
    const faults = Object.entries(read.faults).map(([fault, count]) => `${count} × ${fault}`);
    const mebibytes = (bytes: number) => (bytes / mebibyte).toFixed(0);
    const busyShare = (after.cpuMs - before.cpuMs) / (after.atMs - before.atMs);
    const bytesPerSecond = read.bytes / (seconds + beginningMs / 1000);
    return [
      measured('live streams with slow readers', read.live, '', {
        atLeast: streams,
        note: faults.join(', ') || 'none refused, ended or broken',
      }),
      measured('resident memory with them, at most', residentBytesMax / mebibyte, 'MiB', {
        atMost: 300,
        note: `idle ${mebibytes(idleBytes)}, afterwards ${mebibytes(afterwardsBytes)} MiB`,
      }),
      measured(
        'resident memory per stream',
        (residentBytesMax - idleBytes) / streams / 1024,
        'KiB',
        { atMost: 256 },
      ),
      measured('a turn of the event loop, p99', turns.p99Ms, 'ms', {
        atMost: 50,
        note: `p50 ${turns.p50Ms.toFixed(2)} ms, asked of /livez, which waits for nothing else`,
      }),
      measured('first bytes of a stream, p99', read.firstBytes.p99Ms, 'ms', {
        note: `p50 ${read.firstBytes.p50Ms.toFixed(2)} ms, while all of them begin within ${beginningMs / 1000} s`,
      }),
      measured('processor that they take', busyShare, '×', {
        note: `${(bytesPerSecond / mebibyte).toFixed(1)} MiB/s are read`,
      }),
    ];
  });
}
