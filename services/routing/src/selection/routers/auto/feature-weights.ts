import type { Features } from './features.ts';
import learned from './learned-weights.json' with { type: 'json' };
import { taskTypes } from './task-types.ts';

/** A fact that speaks for or against task types. `always` is one of each request. */
export type Signal = keyof Features | 'always' | 'no_phrase' | 'no_strong_phrase';

/** The weights that `npm run train:classifier` has learned, in the order of the signals. */
const weights: Readonly<Record<string, readonly number[]>> = learned.weights;

/** The weight of each signal for each task type, in the order of the task types. */
export const signalWeights: ReadonlyMap<Signal, Float64Array> = new Map(
  learned.signals.map((signal, at) => [
    signal as Signal,
    Float64Array.from(taskTypes, ({ name }) => weights[name]?.[at] ?? 0),
  ]),
);
