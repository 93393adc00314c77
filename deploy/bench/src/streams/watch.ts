import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Histogram } from '../harness/histogram.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import type { Subject } from '../subjects/subject.ts';

export interface Watch {
  stop(): Promise<{
    readonly residentBytesMax: number;
    /** The time of a request that waits for nothing but its turn of the event loop. */
    readonly turns: Histogram;
  }>;
}

const lookEveryMs = 20;

/** Looks at the memory of a running subject and asks it whether it lives, again and again. */
export function startWatch(
  { adminUrl }: Pick<Subject, 'adminUrl'>,
  pids: readonly number[],
): Watch {
  if (adminUrl === undefined) throw new Error('It has no admin port');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const turns = new Histogram();
  const stopping = new AbortController();
  let residentBytesMax = 0;
  const ask = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    request(`${adminUrl}/livez`, { agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
    return promise;
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const askedMs = performance.now();
      await ask();
      turns.record((performance.now() - askedMs) * 1_000);
      residentBytesMax = Math.max(residentBytesMax, await residentBytesOf(pids));
      await delay(lookEveryMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      agent.destroy();
      return { residentBytesMax, turns };
    },
  };
}
