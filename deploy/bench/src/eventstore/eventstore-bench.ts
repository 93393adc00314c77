import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startNode } from '@sluice/acceptance/event-store-node';
import { measureDisk } from '../disk.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { type Measure, measured } from '../measure.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { noteOf, type Timings } from '../timings.ts';
import { measureLive } from './live.ts';
import { fill, measureAppends, measureCatchUp } from './log-work.ts';

const catchUpEventsMax = 300_000;
const settlingMs = 15_000;
const settlingSamples = 15;

/** Measures the embedded node in a process of its own, with so many events, and its disk before and after. */
export async function eventStoreBench(events: number): Promise<readonly Measure[]> {
  return await withScratch('eventstore', (folder) => measureAll(folder, events));
}

async function measureAll(folder: string, events: number): Promise<readonly Measure[]> {
  showProgress('the disk alone');
  const before = await measureDisk(folder);
  const small = await withNode(join(folder, 'appends'), async ({ url, pid }) => {
    const emptyBytes = await settledResidentBytes(pid);
    showProgress('appends');
    const one = await measureAppends(url, { inFlight: 1, connections: 1 });
    const few = await measureAppends(url, { inFlight: 15, connections: 1 });
    const many = await measureAppends(url, { inFlight: 64, connections: 5 });
    showProgress('live delivery');
    return { emptyBytes, one, few, many, live: await measureLive(url) };
  });
  const after = await measureDisk(folder);
  showProgress(`${events} events are written`);
  const directory = join(folder, 'full');
  const filledPerSecond = await withNode(directory, ({ url }) => fill(url, events));
  showProgress('start, and catch-up');
  const full = await withNode(directory, async ({ url, pid, startMs }) => {
    const settledBytes = await settledResidentBytes(pid);
    const catchUp = await measureCatchUp(url, Math.min(events, catchUpEventsMax));
    return { startMs, settledBytes, workedBytes: await residentBytesOf([pid]), catchUp };
  });
  const perEvent = (bytes: number) => (bytes - small.emptyBytes) / events;
  const { fromCallP50Ms, fromCallP99Ms, fromAnswerP50Ms } = small.live;
  return [
    measured('disk: write + fdatasync, one at a time', before.perSecond, '/s', {
      note: `p50 ${before.p50Ms.toFixed(2)} ms; after the appends ${Math.round(after.perSecond)} /s`,
    }),
    appends('1 in flight', small.one),
    appends('15 in flight, 1 connection', small.few),
    appends('64 in flight, 5 connections', small.many, 6_000),
    measured('live delivery p50, from the answer of append', fromAnswerP50Ms, 'ms', { atMost: 1 }),
    measured('live delivery p50, from the call of append', fromCallP50Ms, 'ms', {
      note: `p99 ${fromCallP99Ms.toFixed(2)} ms, fdatasync included`,
    }),
    measured('appends of 200 events, 8 in flight', filledPerSecond, 'events/s'),
    measured('catch-up', full.catchUp.perSecond, 'events/s', {
      atLeast: 25_000,
      note: `${full.catchUp.events} events`,
    }),
    measured(`start with ${events.toLocaleString('en')} events`, full.startMs / 1000, 's', {
      atMost: 5,
      note: 'log in the page cache',
    }),
    measured('resident memory per event, after the start', perEvent(full.settledBytes), 'B', {
      atMost: 120,
      note: `${mebibytes(full.settledBytes)} MiB, ${mebibytes(small.emptyBytes)} without events`,
    }),
    measured('resident memory per event, after the catch-up', perEvent(full.workedBytes), 'B', {
      note: `${mebibytes(full.workedBytes)} MiB with the cache and what is not collected yet`,
    }),
  ];
}

const appends = (name: string, timings: Timings, atLeast?: number) =>
  measured(`durable appends, ${name}`, timings.perSecond, '/s', { atLeast, note: noteOf(timings) });

const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);

interface Node {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process until it takes calls. */
  readonly startMs: number;
}

async function withNode<Result>(
  directory: string,
  work: (node: Node) => Promise<Result>,
): Promise<Result> {
  const secretsDirectory = join(directory, 'secrets');
  const startedMs = performance.now();
  const node = await startNode({ directory, secretsDirectory, port: 0, stopSignal: 'SIGTERM' });
  try {
    return await work({ ...node, startMs: performance.now() - startedMs });
  } finally {
    await node.stop();
  }
}

/** Returns the least memory in 15 s without work: what was only needed for a while has been given back. */
async function settledResidentBytes(pid: number): Promise<number> {
  let least = await residentBytesOf([pid]);
  for (let sample = 0; sample < settlingSamples; sample++) {
    await delay(settlingMs / settlingSamples);
    least = Math.min(least, await residentBytesOf([pid]));
  }
  return least;
}
