import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pinSubjects, type Surroundings, withSurroundings } from '../comparison/surroundings.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { piecesOf } from '../profile/pieces.ts';
import { profileOf } from '../profile/profile-of.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import { usedBy } from '../sustained/costs.ts';
import { type CachedAnswer, cachedAnswers, shortAnswer } from './cached-answers.ts';
import { inTurns, ratioOf } from './in-turns.ts';
import { groupPieces, type ProfiledProcess } from './piece-groups.ts';

const connections = 32;
const sendingMs = 2_000;
/** A round with a fault, which a busy machine causes, is measured again. */
const triesMax = 5;
/** The first half warms up. */
const profiledMs = 50_000;
const bodyBytes = 2_048;
const wholeMachine = 'all processes';
/** Processes that usually do less have nothing to do with requests. */
const usMin = 5;

/** Processor microseconds of a request, by program and of all programs. */
type Costs = ReadonlyMap<string, number>;

/** Measures hits beside misses by HTTP: each process of the instance for each of the answers, and pieces of code. */
export async function measureCacheByHttp(): Promise<readonly Measure[]> {
  return [...(await measurePrograms()), ...(await measurePieces())];
}

async function measurePrograms() {
  return await withSurroundings({ names: ['sluice'] }, async (all) => {
    const measures: Measure[] = [];
    for (const answer of cachedAnswers) {
      const { name } = answer;
      const sluice = await openInstance(all, answer);
      const usOf = (clears: boolean) => costsOf(all, { sluice, answer, clears });
      const rounds = await inTurns({ what: `by HTTP, ${name}`, usOf });
      for (const program of rounds[0]?.miss.keys() ?? []) {
        const each = rounds.map(({ hit, miss }) => ({
          hit: hit.get(program) ?? 0,
          miss: miss.get(program) ?? 0,
        }));
        const misses = each.map(({ miss }) => miss);
        if (percentile(misses, 0.5) < usMin) continue;
        measures.push(ratioOf(`by HTTP, ${name}: ${program}`, each, targetOf(program)));
      }
    }
    return measures;
  });
}

/** The target is that of the whole machine. */
function targetOf(program: string): number | undefined {
  return program === wholeMachine ? 0.3 : undefined;
}

/** Measures the pieces of code in the processes of requests and of the books. Profiles change the times a little. */
async function measurePieces(): Promise<readonly Measure[]> {
  const hit = await piecesOfInstance(false);
  const miss = await piecesOfInstance(true);
  return [...hit].map(([piece, hitUs]) =>
    ratioOf(`by HTTP, ${shortAnswer.name}: ${piece}`, [{ hit: hitUs, miss: miss.get(piece) ?? 0 }]),
  );
}

/** Returns the microseconds of each group of pieces in a request. */
async function piecesOfInstance(clears: boolean) {
  return await withScratch('profiles', async (profiles) => {
    showProgress(`the pieces of a ${clears ? 'miss' : 'hit'}`);
    const settings = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
    const ran = await withSurroundings({ names: ['sluice'], settings }, async (all) => {
      const sluice = await openInstance(all, shortAnswer);
      const costs: Costs[] = [];
      for (const startMs = performance.now(); performance.now() - startMs < profiledMs;)
        costs.push(await costsOf(all, { sluice, answer: shortAnswer, clears }));
      return { pids: await pidsOf(sluice), costs: costs.slice(costs.length / 2) };
    });
    const pieces = new Map<string, number>();
    for (const name of ['requests', 'books'] as const) {
      const costs = ran.costs.map((each) => each.get(name) ?? 0);
      const us = percentile(costs, 0.5);
      const profile = piecesOf(await profileOf(profiles, ran.pids[name]));
      for (const [group, groupUs] of groupPieces(name, profile, us))
        pieces.set(`${name}: ${group}`, groupUs);
    }
    return pieces;
  });
}

async function pidsOf(sluice: Subject) {
  const { dataDirectory = '' } = sluice;
  const { measured } = await sluice.pids();
  const books = Number(await readFile(join(dataDirectory, 'run', 'books.pid'), 'utf8'));
  return { requests: measured[0] ?? 0, books } satisfies Record<ProfiledProcess, number>;
}

async function openInstance(all: Surroundings, { deltas }: CachedAnswer): Promise<Subject> {
  const [sluice] = all.subjects;
  if (!sluice) throw new Error('Sluice did not start');
  await pinSubjects(all);
  await all.upstream.behave({ ...plainBehaviour, deltas });
  return sluice;
}

interface Asked {
  readonly sluice: Subject;
  readonly answer: CachedAnswer;
  readonly clears: boolean;
}

/** Returns the costs of a request with all that the books do for it afterwards. */
async function costsOf(
  { load, garbageFolder }: Surroundings,
  { sluice, answer: { deltas, isStreaming }, clears }: Asked,
): Promise<Costs> {
  const shape = { bodyBytes, isStreaming };
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
    return new Map([[wholeMachine, sum], ...costs]);
  }
}

function clearing(sluice: Subject): Subject {
  const cache = { 'x-service-cache': 'true', 'x-service-cache-clear': 'true' };
  return { ...sluice, headers: { ...sluice.headers, ...cache } };
}
