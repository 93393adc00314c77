/** Time comes from here and nowhere else: a simulation passes its own. */
export interface Clock {
  /** The time of day, for what people and other machines read. It steps when the clock of the machine is set. */
  now(): Date;
  /** Milliseconds for durations, which never step. Absent in a clock whose time of day never steps. */
  readonly steadyMs?: () => number;
}

export const systemClock: Clock = { now: () => new Date(), steadyMs: () => performance.now() };

/** Returns the milliseconds from which durations are computed: ages, waits, windows that slide. */
export function steadyMsOf(clock: Clock): () => number {
  return clock.steadyMs ?? (() => clock.now().getTime());
}
