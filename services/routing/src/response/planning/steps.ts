import { isRejection, type Rejection } from '@sluice/errors';

type Blank = Readonly<Record<string, undefined>>;
type Step<State, Result> = (state: State) => Result | Promise<Result>;

/**
 * A list of steps over one growing state. A step returns the fields that it adds, or a Rejection, which ends the list.
 * `add` compiles only after the steps that add the fields which the new step reads.
 */
export class Steps<Begin extends object, State extends object, Ended extends Rejection> {
  readonly #all: readonly Step<never, object>[];
  readonly #blank: Blank;

  private constructor(all: readonly Step<never, object>[], blank: Blank) {
    this.#all = all;
    this.#blank = blank;
  }

  /** A state that grew field by field would be slow to read. `blank` has the fields that steps add. */
  static from<Begin extends object>(blank: Blank = {}): Steps<Begin, Begin, never> {
    return new Steps([], blank);
  }

  add<Result extends object>(
    step: Step<State, Result>,
  ): Steps<Begin, State & Exclude<Result, Rejection>, Ended | Extract<Result, Rejection>> {
    return new Steps([...this.#all, step], this.#blank);
  }

  /** Returns the state at once unless a step has to wait. Throws as its steps do. */
  run(begin: Begin): State | Ended | Promise<State | Ended> {
    return this.#runFrom(0, { ...this.#blank, ...begin });
  }

  #runFrom(first: number, state: object): State | Ended | Promise<State | Ended> {
    const steps = this.#all;
    for (let place = first; place < steps.length; place += 1) {
      const added = steps[place]?.(state as never) ?? state;
      if (added instanceof Promise) return this.#runAfter(place, state, added);
      if (isRejection(added)) return added as Ended;
      Object.assign(state, added);
    }
    return state as State;
  }

  async #runAfter(place: number, state: object, adding: Promise<object>): Promise<State | Ended> {
    const added = await adding;
    if (isRejection(added)) return added as Ended;
    return this.#runFrom(place + 1, Object.assign(state, added));
  }
}
