import { connectEventStore } from '@sluice/eventstore';
import { anEvent, streamPrefix } from './events.ts';

const eventsPerAppend = 200;
const inFlight = 8;
const streams = 1_000;

/** Writes so many events, in appends of 200, to 1,000 streams. Resolves with the events per second. */
export async function fill(url: string, events: number): Promise<number> {
  const store = await connectEventStore({ url });
  const appends = Math.ceil(events / eventsPerAppend);
  const startedMs = performance.now();
  let next = 0;
  const write = async () => {
    for (let append = next++; append < appends; append = next++) {
      const stream = `${streamPrefix}fill-${append % streams}`;
      await store.append(stream, Array.from({ length: eventsPerAppend }, anEvent), 'any');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, write));
  const seconds = (performance.now() - startedMs) / 1000;
  await store.stop();
  return (appends * eventsPerAppend) / seconds;
}
