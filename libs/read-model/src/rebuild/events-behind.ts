import { readLog, type ReadLogOptions } from './read-log.ts';

/** Counts the events of the streams behind the position. It stops counting at `eventsMax`. */
export async function eventsBehind(
  options: Omit<ReadLogOptions, 'until'>,
  eventsMax: number,
): Promise<number> {
  let events = 0;
  for await (const batch of readLog(options)) {
    events += batch.filter(({ kind }) => kind === 'event').length;
    if (events >= eventsMax) return eventsMax;
  }
  return events;
}
