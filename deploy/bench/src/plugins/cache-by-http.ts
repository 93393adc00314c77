import { pinSubjects, type Surroundings, withSurroundings } from '../comparison/surroundings.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { largestProfile } from '../profile/largest-profile.ts';
import { piecesOf } from '../profile/pieces.ts';
import { withScratch } from '../scratch.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import { usedBy } from '../sustained/costs.ts';
import { inTurns, ratioOf } from './in-turns.ts';
import { groupPieces, pieceGroups } from './piece-groups.ts';

export interface CacheBenchOptions {
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

const connections = 32;
const sendingMs = 2_000;
/** A round with a fault, which a busy machine causes, is measured again. */
const triesMax = 5;
/** The first half warms up. */
const profiledMs = 50_000;
const shape = { bodyBytes: 2_048, isStreaming: false };
/** Deltas of six bytes. */
const answers = { '200 B': 33, '4 KB': 683 } as const;
const wholeMachine = 'all processes';
/** Processes that do less have nothing to do with requests. */
const usMin = 5;

/** Processor microseconds of a request, by program and of all programs. */
type Costs = ReadonlyMap<string, number>;

/** Measures hits beside misses by HTTP: each process of the instance for two sizes of answers, and pieces of code. */
export async function measureCacheByHttp(options: CacheBenchOptions): Promise<readonly Measure[]> {
  return [...(await measurePrograms(options)), ...(await measurePieces(options))];
}

async function measurePrograms({ folder, onProgress }: CacheBenchOptions) {
  const surroundings = { folder, names: ['sluice'], settings: {}, onProgress } as const;
  return await withSurroundings(surroundings, async (all) => {
    const measures: Measure[] = [];
    for (const [size, deltas] of Object.entries(answers)) {
      const sluice = await openInstance(all, deltas);
      const usOf = (clears: boolean) => costsOf(all, { sluice, deltas, clears });
      const rounds = await inTurns({ what: `with answers of ${size}`, usOf, onProgress });
      for (const program of rounds[0]?.miss.keys() ?? []) {
        const each = rounds.map(({ hit, miss }) => ({
          hit: hit.get(program) ?? 0,
          miss: miss.get(program) ?? 0,
        }));
        measures.push(ratioOf(`by HTTP, answers of ${size}: ${program}`, each, targetOf(program)));
      }
    }
    return measures;
  });
}

/** The target is that of the whole machine. */
function targetOf(program: string): number | undefined {
  return program === wholeMachine ? 0.3 : undefined;
}

/** Measures the pieces of code in the process of requests. Profiles change the times a little. */
async function measurePieces(options: CacheBenchOptions): Promise<readonly Measure[]> {
  const hit = await piecesOfInstance(options, false);
  const miss = await piecesOfInstance(options, true);
  return pieceGroups.map((name) => {
    const round = { hit: hit.get(name) ?? 0, miss: miss.get(name) ?? 0 };
    return ratioOf(`by HTTP, answers of 200 B: ${name}`, [round]);
  });
}

/** Returns the microseconds of each group of pieces in a request. */
async function piecesOfInstance({ folder, onProgress }: CacheBenchOptions, clears: boolean) {
  return await withScratch(folder, 'profiles', async (profiles) => {
    onProgress(`the pieces of a ${clears ? 'miss' : 'hit'}`);
    const settings = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
    const surroundings = { folder, names: ['sluice'], settings, onProgress } as const;
    const us = await withSurroundings(surroundings, async (all) => {
      const deltas = answers['200 B'];
      const sluice = await openInstance(all, deltas);
      const costs: number[] = [];
      for (const startMs = performance.now(); performance.now() - startMs < profiledMs;)
        costs.push((await costsOf(all, { sluice, deltas, clears })).get('requests') ?? 0);
      return percentile(costs.slice(costs.length / 2), 0.5);
    });
    return groupPieces(piecesOf(await largestProfile(profiles)), us);
  });
}

async function openInstance(all: Surroundings, deltas: number): Promise<Subject> {
  const [sluice] = all.subjects;
  if (!sluice) throw new Error('Sluice did not start');
  await pinSubjects(all);
  await all.upstream.behave({ ...plainBehaviour, deltas });
  return sluice;
}

interface Asked {
  readonly sluice: Subject;
  readonly deltas: number;
  readonly clears: boolean;
}

/** Returns the costs of a request with all that the books do for it afterwards. */
async function costsOf(
  { load, garbageFolder }: Surroundings,
  { sluice, deltas, clears }: Asked,
): Promise<Costs> {
  const cache = { 'x-service-cache': 'true', ...(clears && { 'x-service-cache-clear': 'true' }) };
  // The answer that is kept may be of another size.
  await probe(clearing(sluice), shape, deltas);
  const subject = { ...sluice, headers: { ...sluice.headers, ...cache } };
  const expectation = await probe(subject, shape, deltas);
  const target = { port: subject.port, request: requestOf(subject, shape), expectation };
  const pids = await subject.pids();
  for (let left = triesMax; ; left -= 1) {
    await settledUsage(pids);
    const before = (await usedBy(subject, garbageFolder)).cpuMsByProgram;
    const closed = await load.closedLoop({ ...target, connections, sendingMs });
    await settledUsage(pids);
    const after = (await usedBy(subject, garbageFolder)).cpuMsByProgram;
    const faults = Object.keys(closed.faults);
    if (faults.length > 0 && left > 1) continue;
    if (faults.length > 0) throw new Error(faults.join(', '));
    const costs = [...after].map(
      ([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1_000) / closed.answered] as const,
    );
    const sum = costs.reduce((all, [, us]) => all + us, 0);
    return new Map([[wholeMachine, sum], ...costs.filter(([, us]) => us >= usMin)]);
  }
}

function clearing(sluice: Subject): Subject {
  const cache = { 'x-service-cache': 'true', 'x-service-cache-clear': 'true' };
  return { ...sluice, headers: { ...sluice.headers, ...cache } };
}
