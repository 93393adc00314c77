import type { Rejection } from '@sluice/errors';
import type { Event } from './event.ts';

/** An aggregate: three pure functions. No clock, no ids, no I/O: those arrive in the command. */
export interface Decider<Command, State, E extends Event, R extends Rejection = Rejection> {
  /** The stream is `<category>-<id>`; a category has no hyphen. */
  readonly category: string;
  readonly initial: State;
  readonly evolve: (state: State, event: E) => State;
  /** The new facts (none = already so), or the reason why not. */
  readonly decide: (command: Command, state: State) => readonly E[] | R;
}

export function fold<State, E extends Event>(
  decider: Pick<Decider<never, State, E>, 'initial' | 'evolve'>,
  events: readonly E[],
): State {
  return events.reduce(decider.evolve, decider.initial);
}
