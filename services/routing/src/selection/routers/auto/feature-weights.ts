import type { Features } from './features.ts';
import { learned, learnedSignals } from './learned-weights.ts';
import { taskTypes } from './task-types.ts';

/** A fact that speaks for or against task types. `always` is one of each request. */
export type Signal = keyof Features | 'always' | 'no_phrase' | 'no_strong_phrase';

/** The weight of each signal for each task type, in the order of the task types. */
export const signalWeights: ReadonlyMap<Signal, Float64Array> = new Map(
  learnedSignals.map((signal, at) => [
    signal,
    Float64Array.from(taskTypes, ({ name }) => learned[name]?.[at] ?? 0),
  ]),
);
