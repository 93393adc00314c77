import { connectEventStore } from '@sluice/eventstore';
import { inParallel } from '../timings.ts';
import { anEvent, streamPrefix } from './events.ts';

const eventsPerAppend = 200;
const inFlight = 8;
const streams = 1_000;

/** Writes so many events, in appends of 200, to 1,000 streams. Resolves with the events per second. */
export async function fill(url: string, events: number): Promise<number> {
  const store = await connectEventStore({ url });
  const appends = Math.ceil(events / eventsPerAppend);
  const seconds = await inParallel(appends, inFlight, async (append) => {
    const stream = `${streamPrefix}fill-${append % streams}`;
    await store.append(stream, Array.from({ length: eventsPerAppend }, anEvent), 'any');
  });
  await store.stop();
  return (appends * eventsPerAppend) / seconds;
}
