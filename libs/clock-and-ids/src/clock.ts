/** Time comes from here and nowhere else: a simulation passes its own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns the time in milliseconds since 1970. */
export function millisecondsOf(clock: Clock): () => number {
  return () => clock.now().getTime();
}
