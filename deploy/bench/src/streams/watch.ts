import { watching } from '@sluice/testing/watching';
import { type Latencies, LatencyRecorder } from '../harness/latencies.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { createClient } from '../management/client.ts';
import type { Subject } from '../subjects/subject.ts';

export interface Watch {
  stop(): Promise<{
    readonly residentBytesMax: number;
    /** The time of a request that waits for nothing but its turn of the event loop. */
    readonly turns: Latencies;
  }>;
}

const lookEveryMs = 20;

/** Looks at the memory of a running subject and asks it whether it lives, again and again. */
export function startWatch(
  { adminUrl }: Pick<Subject, 'adminUrl'>,
  pids: readonly number[],
): Watch {
  if (adminUrl === undefined) throw new Error('It has no admin port');
  const client = createClient(adminUrl, '');
  const turns = new LatencyRecorder();
  let residentBytesMax = 0;
  const asking = watching(lookEveryMs, async () => {
    const askedMs = performance.now();
    await client.ask('GET', '/livez');
    turns.record(performance.now() - askedMs);
    residentBytesMax = Math.max(residentBytesMax, await residentBytesOf(pids));
  });
  return {
    async stop() {
      await asking[Symbol.asyncDispose]();
      await client.stop();
      return { residentBytesMax, turns: turns.result() };
    },
  };
}
