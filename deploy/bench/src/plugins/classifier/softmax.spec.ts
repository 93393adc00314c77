import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { readPrompts } from './labeled-prompts.ts';
import { exampleOf, isRight, trainWeights } from './softmax.ts';

const prompts = readPrompts('seen')
  .filter(({ task }) => ['math', 'conversation', 'agent:tool_use'].includes(task))
  .toSorted((a, b) => a.text.localeCompare(b.text));

/** Examples without any phrase: only the features are left to tell the task. */
const examples = prompts.map((prompt) => exampleOf(prompt, 1, () => false));

describe('learned weights', () => {
  test('tell the examples apart that features tell apart', () => {
    const weights = trainWeights(examples);
    const right = examples.filter((example) => isRight(weights, example)).length;
    const untrained = examples.filter((example) => isRight(new Map(), example)).length;
    ok(right > untrained && right >= examples.length - 3, `${right}, ${untrained}`);
  });

  test('are the same each time', () => {
    deepEqual(trainWeights(examples), trainWeights(examples));
  });
});
