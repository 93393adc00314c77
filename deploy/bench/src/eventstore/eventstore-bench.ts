import { join } from 'node:path';
import type { Measure } from '../measure.ts';
import { measureAppends } from './appends.ts';
import { measureCatchUp } from './catch-up.ts';
import { measureDisk } from '../disk.ts';
import { withScratch } from '../scratch.ts';
import { noteOf, type Timings } from '../timings.ts';
import { fill } from './fill.ts';
import { measureLive } from './live.ts';
import { type NodeProcess, startNode } from './node-process.ts';

export interface EventStoreBenchOptions {
  /** On the disk that is measured. What is made in it is removed again. */
  readonly folder: string;
  /** The number of events that the node starts with. */
  readonly events: number;
  readonly onProgress: (line: string) => void;
}

const catchUpEventsMax = 300_000;
const mebibyte = 1024 * 1024;

/** Measures the embedded node in a process of its own, and its disk before and after. */
export async function eventStoreBench(
  options: EventStoreBenchOptions,
): Promise<readonly Measure[]> {
  return await withScratch(options.folder, 'eventstore', (folder) => measureAll(options, folder));
}

async function measureAll(
  { events, onProgress }: EventStoreBenchOptions,
  folder: string,
): Promise<readonly Measure[]> {
  onProgress('the disk alone');
  const before = await measureDisk(folder);
  const small = await withNode(join(folder, 'appends'), async (node) => {
    const emptyBytes = await node.settledResidentBytes();
    onProgress('appends');
    const one = await measureAppends(node.url, { inFlight: 1, connections: 1 });
    const few = await measureAppends(node.url, { inFlight: 15, connections: 1 });
    const many = await measureAppends(node.url, { inFlight: 64, connections: 5 });
    onProgress('live delivery');
    return { emptyBytes, one, few, many, live: await measureLive(node.url) };
  });
  const after = await measureDisk(folder);
  onProgress(`${events} events are written`);
  const directory = join(folder, 'full');
  const filledPerSecond = await withNode(directory, ({ url }) => fill(url, events));
  onProgress('start, and catch-up');
  const full = await withNode(directory, async (node) => {
    const settledBytes = await node.settledResidentBytes();
    const catchUp = await measureCatchUp(node.url, Math.min(events, catchUpEventsMax));
    const workedBytes = await node.residentBytes();
    return { startMs: node.startMs, settledBytes, workedBytes, catchUp };
  });
  return [
    {
      name: 'disk: write + fdatasync, one at a time',
      value: before.perSecond,
      unit: '/s',
      note: `p50 ${before.p50Ms.toFixed(2)} ms; after the appends ${Math.round(after.perSecond)} /s`,
    },
    appends('durable appends, 1 in flight', small.one),
    appends('durable appends, 15 in flight, 1 connection', small.few),
    {
      ...appends('durable appends, 64 in flight, 5 connections', small.many),
      target: { kind: 'at least', value: 6_000 },
    },
    ...live(small.live),
    { name: 'appends of 200 events, 8 in flight', value: filledPerSecond, unit: 'events/s' },
    {
      name: 'catch-up',
      value: full.catchUp.perSecond,
      unit: 'events/s',
      target: { kind: 'at least', value: 25_000 },
      note: `${full.catchUp.events} events`,
    },
    {
      name: `start with ${events.toLocaleString('en')} events`,
      value: full.startMs / 1000,
      unit: 's',
      target: { kind: 'at most', value: 5 },
      note: 'log in the page cache',
    },
    {
      name: 'resident memory per event, after the start',
      value: (full.settledBytes - small.emptyBytes) / events,
      unit: 'B',
      target: { kind: 'at most', value: 120 },
      note: `${mebibytes(full.settledBytes)} MiB, ${mebibytes(small.emptyBytes)} without events`,
    },
    {
      name: 'resident memory per event, after the catch-up',
      value: (full.workedBytes - small.emptyBytes) / events,
      unit: 'B',
      note: `${mebibytes(full.workedBytes)} MiB with the cache and what is not collected yet`,
    },
  ];
}

async function withNode<Result>(
  directory: string,
  work: (node: NodeProcess) => Promise<Result>,
): Promise<Result> {
  const node = await startNode(directory);
  try {
    return await work(node);
  } finally {
    await node.stop();
  }
}

function appends(name: string, timings: Timings): Measure {
  return { name, value: timings.perSecond, unit: '/s', note: noteOf(timings) };
}

function live({
  fromCallP50Ms,
  fromCallP99Ms,
  fromAnswerP50Ms,
}: Awaited<ReturnType<typeof measureLive>>): readonly Measure[] {
  return [
    {
      name: 'live delivery p50, from the answer of append',
      value: fromAnswerP50Ms,
      unit: 'ms',
      target: { kind: 'at most', value: 1 },
    },
    {
      name: 'live delivery p50, from the call of append',
      value: fromCallP50Ms,
      unit: 'ms',
      note: `p99 ${fromCallP99Ms.toFixed(2)} ms, fdatasync included`,
    },
  ];
}

function mebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(0);
}
