/** Time comes from here and nowhere else: a simulation passes its own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The time in milliseconds since 1970, for whoever asks often: of the system's clock without a Date. */
export function millisecondsOf(clock: Clock): () => number {
  return clock === systemClock ? () => Date.now() : () => clock.now().getTime();
}
