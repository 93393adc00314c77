import { isRejection, type Rejection } from '@sluice/errors';

type Step<State, Result> = (state: State) => Result | Promise<Result>;

/**
 * A list of steps over one growing state. A step returns the fields that it adds, or a Rejection, which ends the list.
 * `add` compiles only after the steps that add the fields which the new step reads.
 */
export class Steps<Begin extends object, State extends object, Ended extends Rejection> {
  readonly #all: readonly Step<never, object>[];

  private constructor(all: readonly Step<never, object>[]) {
    this.#all = all;
  }

  static from<Begin extends object>(): Steps<Begin, Begin, never> {
    return new Steps([]);
  }

  add<Result extends object>(
    step: Step<State, Result>,
  ): Steps<Begin, State & Exclude<Result, Rejection>, Ended | Extract<Result, Rejection>> {
    return new Steps([...this.#all, step]);
  }

  async run(begin: Begin): Promise<State | Ended> {
    const state = { ...begin };
    for (const step of this.#all) {
      const result = step(state as never);
      const added = result instanceof Promise ? await result : result;
      if (isRejection(added)) return added as Ended;
      Object.assign(state, added);
    }
    return state as unknown as State;
  }
}
