import { join } from 'node:path';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { inParallel } from '../timings.ts';
import { scriptedUpstream } from '../tools/scripted-upstream.ts';
import { openWorld } from '../tools/world.ts';
import { inTurns, ratioOf } from './in-turns.ts';
import { type CacheBenchOptions, measureCacheByHttp } from './cache-by-http.ts';

const requests = 3_000;
const connections = 32;
const input = 'She said no, and then nothing more was to be done that day. '.repeat(34);

/**
 * Measures the processor time of a hit of the response cache beside that of a miss: in routing, whose model answers
 * without a network, and of all processes by HTTP.
 */
export async function measureCache(options: CacheBenchOptions): Promise<readonly Measure[]> {
  return [...(await measureRouting(options)), ...(await measureCacheByHttp(options))];
}

async function measureRouting({ folder, onProgress }: CacheBenchOptions): Promise<Measure[]> {
  const usOf = (clears: boolean) => routingUsOf(folder, clears);
  const rounds = await inTurns({ what: 'in routing', usOf, onProgress });
  return [ratioOf('in routing', rounds)];
}

/** A world for each figure, because nothing counts the usage facts that a long one would gather. */
async function routingUsOf(folder: string, clears: boolean): Promise<number> {
  return await withScratch(folder, 'cache', async (directory) => {
    const upstream = scriptedUpstream({ callsOf: () => 0, answerMs: () => 0 });
    const world = await openWorld(join(directory, 'spool'), upstream);
    try {
      const body = world.bodyOf({ input });
      const ask = () => world.send(body, { isOn: true, ...(clears && { clears }) });
      await ask();
      const before = process.cpuUsage();
      await inParallel(requests, connections, ask);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / requests;
    } finally {
      await world.stop();
    }
  });
}
