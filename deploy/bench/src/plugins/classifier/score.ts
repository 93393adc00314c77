import { type Tallies, tableOf, tallyBy } from '../../filters/blind/tally.ts';
import { type LabeledPrompt, readPrompts } from './labeled-prompts.ts';

/** Returns the task type that a classifier sees in a prompt. */
export type Classify = (prompt: LabeledPrompt) => string;

/** Returns the prompts that are classified as labeled, by task type and in all. */
export function score(prompts: readonly LabeledPrompt[], classify: Classify): Tallies {
  return tallyBy(
    prompts,
    ({ task }) => task,
    (prompt) => classify(prompt) === prompt.task,
  );
}

/** Returns the share of the prompts of all types that are classified as labeled. */
export function accuracyOf(tallies: Tallies): number {
  const all = tallies.get('all');
  return all && all.of > 0 ? all.found / all.of : 0;
}

/** Returns the lines of a table with both halves. */
export function scoreTable(classify: Classify): readonly string[] {
  const [seen, blind] = [
    score(readPrompts('seen'), classify),
    score(readPrompts('blind'), classify),
  ];
  return tableOf('Task type', { Seen: seen, Blind: blind });
}
