import { join } from 'node:path';
import { pinSubjects, type Surroundings, withSurroundings } from '../comparison/surroundings.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { largestProfile } from '../profile/largest-profile.ts';
import { piecesOf } from '../profile/pieces.ts';
import { withScratch } from '../scratch.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import { inParallel } from '../timings.ts';
import { scriptedUpstream } from '../tools/scripted-upstream.ts';
import { openWorld } from '../tools/world.ts';
import { groupPieces, pieceGroups } from './piece-groups.ts';

export interface CacheBenchOptions {
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

/** The two sides are measured in turns, so that both meet the same machine. */
const rounds = 9;
const requests = 1_500;
const connections = 32;
const sendingMs = 2_000;
/** A round with a fault, which a busy machine causes, is measured again. */
const triesMax = 5;
/** The first half warms up. */
const profiledRounds = 6;
const shape = { bodyBytes: 2_048, isStreaming: false };
const deltas = 50;
const input = 'She said no, and then nothing more was to be done that day. '.repeat(34);

/**
 * Measures the processor time of a hit of the response cache beside that of a miss: in routing, whose model answers
 * without a network, and of the whole instance by HTTP.
 */
export async function measureCache(options: CacheBenchOptions): Promise<readonly Measure[]> {
  return [
    ...(await measureRouting(options)),
    ...(await measureInstance(options)),
    ...(await measurePieces(options)),
  ];
}

async function measureRouting({ folder, onProgress }: CacheBenchOptions) {
  return await withScratch(folder, 'cache', async (directory) => {
    const upstream = scriptedUpstream({ callsOf: () => 0, answerMs: () => 0 });
    const world = await openWorld(join(directory, 'spool'), upstream);
    const usOf = async (clears: boolean) => {
      const before = process.cpuUsage();
      const ask = () => world.ask({ input }, { isOn: true, ...(clears && { clears }) });
      await inParallel(requests, connections, ask);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / requests;
    };
    try {
      return await compare({ what: 'in routing', atMost: 0.3, usOf, onProgress });
    } finally {
      await world.stop();
    }
  });
}

async function measureInstance({ folder, onProgress }: CacheBenchOptions) {
  const surroundings = { folder, names: ['sluice'], settings: {}, onProgress } as const;
  return await withSurroundings(surroundings, async (all) => {
    const sluice = await openInstance(all);
    const usOf = (clears: boolean) => processorUsOf(all, sluice, clears);
    return await compare({ what: 'of the instance by HTTP', usOf, onProgress });
  });
}

/** Measures the pieces of a hit and of a miss by HTTP. Profiles change the times a little. */
async function measurePieces(options: CacheBenchOptions): Promise<readonly Measure[]> {
  const hit = await piecesOfInstance(options, false);
  const miss = await piecesOfInstance(options, true);
  return pieceGroups.map((name) => ({
    name: `of a cache hit by HTTP: ${name}`,
    value: hit.get(name) ?? 0,
    unit: 'µs',
    note: `${(miss.get(name) ?? 0).toFixed(0)} µs of a miss`,
  }));
}

/** Returns the microseconds of each group of pieces in a request. */
async function piecesOfInstance(
  { folder, onProgress }: CacheBenchOptions,
  clears: boolean,
): Promise<ReadonlyMap<string, number>> {
  return await withScratch(folder, 'profiles', async (profiles) => {
    onProgress(`the pieces of a ${clears ? 'miss' : 'hit'}`);
    const settings = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
    const surroundings = { folder, names: ['sluice'], settings, onProgress } as const;
    const us = await withSurroundings(surroundings, async (all) => {
      const sluice = await openInstance(all);
      const rounds: number[] = [];
      for (let round = 0; round < profiledRounds; round += 1)
        rounds.push(await processorUsOf(all, sluice, clears));
      return percentile(rounds.slice(profiledRounds / 2), 0.5);
    });
    return groupPieces(piecesOf(await largestProfile(profiles)), us);
  });
}

async function openInstance(all: Surroundings): Promise<Subject> {
  const [sluice] = all.subjects;
  if (!sluice) throw new Error('Sluice did not start');
  await pinSubjects(all);
  await all.upstream.behave({ ...plainBehaviour, deltas });
  return sluice;
}

interface Comparison {
  readonly what: string;
  readonly atMost?: number;
  /** Returns the microseconds of a request. If it clears, the kept answer is dropped before, which makes a miss. */
  readonly usOf: (clears: boolean) => Promise<number>;
  readonly onProgress: (line: string) => void;
}

async function compare(comparison: Comparison): Promise<readonly Measure[]> {
  const { what, atMost, usOf, onProgress } = comparison;
  const hits: number[] = [];
  const misses: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    onProgress(`hits and misses ${what}, ${round} of ${rounds}`);
    const miss = await usOf(true);
    const hit = await usOf(false);
    // The first round waits for the compiler.
    if (round === 0) continue;
    misses.push(miss);
    hits.push(hit);
  }
  const ratios = hits.map((hit, round) => hit / (misses[round] ?? Number.NaN));
  return [
    {
      name: `processor time of a cache hit ${what}, times that of a miss`,
      value: percentile(ratios, 0.5),
      unit: '×',
      ...(atMost !== undefined && { target: { kind: 'at most', value: atMost } }),
      note: `${percentile(hits, 0.5).toFixed(0)} µs of ${percentile(misses, 0.5).toFixed(0)} µs`,
    },
  ];
}

async function processorUsOf(
  { load }: Surroundings,
  sluice: Subject,
  clears: boolean,
): Promise<number> {
  const headers = {
    ...sluice.headers,
    'x-service-cache': 'true',
    ...(clears && { 'x-service-cache-clear': 'true' }),
  };
  const subject = { ...sluice, headers };
  const expectation = await probe(subject, shape, deltas);
  const target = { port: subject.port, request: requestOf(subject, shape), expectation };
  const pids = await subject.pids();
  for (let left = triesMax; ; left -= 1) {
    await settledUsage(pids);
    const before = await usageOf(pids);
    const closed = await load.closedLoop({ ...target, connections, sendingMs });
    const { usage } = await settledUsage(pids);
    const faults = Object.keys(closed.faults);
    if (faults.length === 0) return ((usage.cpuMs - before.cpuMs) * 1_000) / closed.answered;
    if (left === 1) throw new Error(faults.join(', '));
  }
}
