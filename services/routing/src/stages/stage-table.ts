import type { Stage } from './stage.ts';

/** The rows of a table of stages by the place where they run. */
export type StageTable = {
  readonly [At in Stage['at']]: readonly Extract<Stage, { readonly at: At }>[];
};

/** Sorts the rows of a table by their place. Rows of one place keep their order. */
export function stageTable(stages: readonly Stage[]): StageTable {
  return {
    input: stages.filter((stage) => stage.at === 'input'),
    candidate: stages.filter((stage) => stage.at === 'candidate'),
    attempt: stages.filter((stage) => stage.at === 'attempt'),
    turn: stages.filter((stage) => stage.at === 'turn'),
    output: stages.filter((stage) => stage.at === 'output'),
  };
}
