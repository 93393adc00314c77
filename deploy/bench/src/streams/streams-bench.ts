import { pinSubjects, type Surroundings } from '../comparison/surroundings.ts';
import type { Latencies } from '../harness/latencies.ts';
import type { ReadersResult } from '../harness/load/read-slowly.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Measure } from '../measure.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import { startWatch } from './watch.ts';

export interface StreamsOptions {
  readonly surroundings: Surroundings;
  readonly streams: number;
  readonly seconds: number;
  readonly onProgress: (line: string) => void;
}

const shape = { bodyBytes: 200, isStreaming: true };
/** About as fast as a model speaks, for longer than it is looked at. */
const behaviour = { delayMs: 0, deltas: 4_000, deltaGapMs: 50 };
const beginningMs = 5_000;
const sipEveryMs = 500;
const settleMs = 3_000;
const mebibyte = 1024 * 1024;

/** So many live streams whose clients read in sips: what they cost, and who is late because of them. */
export async function streamsBench(options: StreamsOptions): Promise<readonly Measure[]> {
  const { surroundings, streams, seconds, onProgress } = options;
  const { load, upstream, subjects } = surroundings;
  const [subject] = subjects;
  if (!subject) throw new Error('There is nothing to stream');
  await pinSubjects(surroundings);
  await probe(subject, shape, plainBehaviour.deltas);
  const pids = await subject.pids();
  const idleBytes = await residentBytesOf(pids.measured);
  await upstream.behave(behaviour);
  onProgress(`${streams} streams, each read every ${sipEveryMs} ms, for ${seconds} s`);
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
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  await probe(subject, shape, plainBehaviour.deltas);
  const afterwardsBytes = await residentBytesOf(pids.measured);
  const busyShare = (after.cpuMs - before.cpuMs) / (after.atMs - before.atMs);
  const memory = { idleBytes, residentBytesMax, afterwardsBytes };
  return measuresOf(options, { read, memory, turns, busyShare });
}

interface Measured {
  readonly read: ReadersResult;
  readonly memory: {
    readonly idleBytes: number;
    readonly residentBytesMax: number;
    readonly afterwardsBytes: number;
  };
  readonly turns: Latencies;
  readonly busyShare: number;
}

function measuresOf(
  { streams, seconds }: StreamsOptions,
  { read, memory, turns, busyShare }: Measured,
): readonly Measure[] {
  const { idleBytes, residentBytesMax, afterwardsBytes } = memory;
  const faults = Object.entries(read.faults).map(([fault, count]) => `${count} × ${fault}`);
  return [
    {
      name: 'live streams with slow readers',
      value: read.live,
      unit: '',
      target: { kind: 'at least', value: streams },
      note: faults.join(', ') || 'none refused, ended or broken',
    },
    {
      name: 'resident memory with them, at most',
      value: residentBytesMax / mebibyte,
      unit: 'MiB',
      target: { kind: 'at most', value: 300 },
      note: `idle ${(idleBytes / mebibyte).toFixed(0)}, afterwards ${(afterwardsBytes / mebibyte).toFixed(0)} MiB`,
    },
    {
      name: 'resident memory per stream',
      value: (residentBytesMax - idleBytes) / streams / 1024,
      unit: 'KiB',
      target: { kind: 'at most', value: 256 },
    },
    {
      name: 'a turn of the event loop, p99',
      value: turns.p99Ms,
      unit: 'ms',
      target: { kind: 'at most', value: 50 },
      note: `p50 ${turns.p50Ms.toFixed(2)} ms, asked of /livez, which waits for nothing else`,
    },
    {
      name: 'first bytes of a stream, p99',
      value: read.firstBytes.p99Ms,
      unit: 'ms',
      note: `p50 ${read.firstBytes.p50Ms.toFixed(2)} ms, while all of them begin within ${beginningMs / 1000} s`,
    },
    {
      name: 'processor that they take',
      value: busyShare,
      unit: '×',
      note: `${(read.bytes / mebibyte / (seconds + beginningMs / 1000)).toFixed(1)} MiB/s are read`,
    },
  ];
}
