import { writeFileSync } from 'node:fs';
import { say } from '../../program.ts';
import { type LabeledPrompt, readPrompts } from './labeled-prompts.ts';
import {
  type Example,
  exampleOf,
  isRight,
  randomOf,
  trainWeights,
  type Weights,
} from './softmax.ts';

const file = new URL(
  '../../../../../services/routing/src/selection/routers/auto/learned-weights.json',
  import.meta.url,
);
/** The phrases were made with these prompts, and texts of others have few of them. So most are left out at random. */
const keptShare = 0.4;
const copies = 2;

/** Learns the weights of the signals of the auto router and writes them: `npm run train:classifier`. */
const prompts = [...readPrompts('training'), ...readPrompts('seen')];
const random = randomOf(11);
const weights = trainWeights(prompts.flatMap(thinned));
const right = prompts.filter((prompt) => isRight(weights, exampleOf(prompt, 1)));
writeFileSync(file, `${JSON.stringify(learnedOf(weights), undefined, 2)}\n`);
say(`${((100 * right.length) / prompts.length).toFixed(1)} % of the prompts that it has seen`);

function thinned(prompt: LabeledPrompt): readonly Example[] {
  return Array.from({ length: copies }, () =>
    exampleOf(prompt, 1 / copies, () => random() < keptShare),
  );
}

function learnedOf(weights: Weights) {
  const signals = [...new Set([...weights.values()].flatMap((own) => [...own.keys()]))].toSorted();
  const rows = [...weights].map(([task, own]): [string, readonly number[]] => [
    task,
    signals.map((signal) => Number((own.get(signal) ?? 0).toFixed(2))),
  ]);
  return { signals, weights: Object.fromEntries(rows) };
}
