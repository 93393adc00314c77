import { connectEventStore } from '@sluice/eventstore';
import { streamPrefix } from './events.ts';

export interface CatchUp {
  readonly events: number;
  readonly perSecond: number;
}

/** A subscription from the start, with our filter by stream names, until `eventsMax` or the end. */
export async function measureCatchUp(url: string, eventsMax: number): Promise<CatchUp> {
  const store = await connectEventStore({ url });
  const { signal } = new AbortController();
  const startedMs = performance.now();
  let events = 0;
  let isOver = false;
  const streamPrefixes = [streamPrefix];
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal })) {
    events += batch.filter(({ kind }) => kind === 'event').length;
    isOver = events >= eventsMax || batch.some(({ kind }) => kind === 'caught_up');
    if (isOver) break;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await store.stop();
  return { events, perSecond: events / seconds };
}
