import { classify } from '@sluice/routing/testing';
import { type Measure, measured } from '../../measure.ts';
import { percentile } from '../../percentile.ts';
import { type LabeledPrompt, readPrompts, requestOf } from './labeled-prompts.ts';
import { accuracyOf, score } from './score.ts';

const textCharacters = 2_048;
const warmUps = 400;
const rounds = 200;
const accuracyMin = 80;

/** Returns the task type that the auto router sees in a prompt. */
export const classifyPrompt = (prompt: LabeledPrompt): string =>
  classify(requestOf(prompt)).task.name;

/** Measures how often the classifier is right, and its time for prompts of 2 KB. */
export function measureClassifier(): readonly Measure[] {
  const times = texts().map((text) => usOf(text));
  return [
    accuracy('blind', accuracyMin),
    accuracy('seen'),
    measured('a prompt of 2 KB, median of texts', percentile(times, 0.5), 'µs', { atMost: 100 }),
    measured('a prompt of 2 KB, slowest text', Math.max(...times), 'µs'),
  ];
}

function accuracy(half: 'seen' | 'blind', atLeast?: number): Measure {
  const percent = 100 * accuracyOf(score(readPrompts(half), classifyPrompt));
  return measured(`task types as labeled, ${half} half`, percent, '%', { atLeast });
}

/** Returns texts of 2 KB: the seen prompts one after the other, and runs of one character. */
function texts(): readonly string[] {
  const all = readPrompts('seen')
    .map(({ text }) => text)
    .join('\n\n');
  const found: string[] = [];
  for (let at = 0; at + textCharacters <= all.length; at += textCharacters)
    found.push(all.slice(at, at + textCharacters));
  return [
    ...found,
    ...['a', ' ', '`', '{ '].map((unit) => unit.repeat(textCharacters / unit.length)),
  ];
}

/** Returns the median time for a text. Others share the machine, so the mean is not taken. */
function usOf(text: string): number {
  const request = requestOf({ task: '', language: '', text });
  for (let count = 0; count < warmUps; count += 1) classify(request);
  const times = Array.from({ length: rounds }, () => {
    const beganMs = performance.now();
    classify(request);
    return (performance.now() - beganMs) * 1_000;
  });
  return percentile(times, 0.5);
}
