import { v5, v7 } from 'uuid';

/** Time and ids come from here and nowhere else: a simulation passes its own. */
export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A UUID v7: ordered by time. */
  next(): string;
}

export const systemClock: Clock = { now: () => new Date() };
export const systemIds: Ids = { next: () => v7() };

const eventNamespace = '6ba7b812-9dad-11d1-80b4-00c04fd430c8';

/** The id of the n-th event of a command: the same whenever the command is tried again. */
export function eventId(commandId: string, index: number): string {
  return v5(`${commandId}/${index}`, eventNamespace);
}

/** A UUID that is a function of its parts: the same request, sent again, is the same command. */
export function derivedId(...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), eventNamespace);
}
