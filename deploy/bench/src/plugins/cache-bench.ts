import { join } from 'node:path';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { inParallel } from '../timings.ts';
import { scriptedUpstream } from '../tools/scripted-upstream.ts';
import { openWorld } from '../tools/world.ts';
import { inTurns, ratioOf } from './in-turns.ts';
import { type CachedAnswer, cachedAnswers } from './cached-answers.ts';
import { measureCacheByHttp } from './cache-by-http.ts';

/** Fewer of long streams, so that each figure takes about the same time. */
const requestsOf = ({ isStreaming, deltas }: CachedAnswer) =>
  isStreaming && deltas > 100 ? 500 : 3_000;
const connections = 32;
const input = 'She said no, and then nothing more was to be done that day. '.repeat(34);

/**
 * Measures the processor time of a hit of the response cache beside that of a miss: in routing, whose model answers
 * without a network, and of all processes by HTTP.
 */
export async function measureCache(): Promise<readonly Measure[]> {
  return [...(await measureRouting()), ...(await measureCacheByHttp())];
}

async function measureRouting(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const answer of cachedAnswers) {
    const { name } = answer;
    const usOf = (clears: boolean) => routingUsOf(answer, clears);
    const rounds = await inTurns({ what: `in routing, ${name}`, usOf });
    measures.push(ratioOf(`in routing, ${name}`, rounds));
  }
  return measures;
}

/** A world for each figure, because nothing counts the usage facts that a long one would gather. */
async function routingUsOf(answer: CachedAnswer, clears: boolean): Promise<number> {
  return await withScratch('cache', async (directory) => {
    const { deltas: words, isStreaming } = answer;
    const upstream = scriptedUpstream({ callsOf: () => 0, answerMs: () => 0, words });
    const world = await openWorld(join(directory, 'spool'), upstream);
    const requests = requestsOf(answer);
    try {
      const body = world.bodyOf({ input, stream: isStreaming });
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
