import { isPossible, signalsOf, taskTypes } from '@sluice/routing/testing';
import { type LabeledPrompt, requestOf } from './labeled-prompts.ts';

/** A labeled prompt as the classifier reads it. */
export interface Example {
  readonly label: number;
  readonly words: Float64Array;
  readonly signals: readonly string[];
  readonly possible: readonly boolean[];
  readonly weight: number;
}

/** The weight of each signal, by task type. */
export type Weights = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The certainty of a score of phrases. */
const certainty = 0.8;
const epochs = 30;
const rateFirst = 0.05;
const rateLast = 0.001;
const decay = 0.0003;
const tasks = taskTypes.map(({ name }) => name);

export function exampleOf(
  prompt: LabeledPrompt,
  weight: number,
  isKnown?: (phrase: string) => boolean,
): Example {
  const { words, signals, features } = signalsOf(requestOf(prompt), isKnown);
  const possible = taskTypes.map(({ skill }) => isPossible(skill, features));
  return { label: tasks.indexOf(prompt.task), words, signals, possible, weight };
}

/** Learns weights by multinomial logistic regression beside the fixed weights of the phrases. It is deterministic. */
export function trainWeights(examples: readonly Example[]): Weights {
  const rows = new Map<string, Float64Array>();
  for (const { signals } of examples)
    for (const signal of signals)
      if (!rows.has(signal)) rows.set(signal, new Float64Array(tasks.length));
  const order = [...examples];
  const random = randomOf(3);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const rate = rateFirst * (1 - epoch / epochs) + rateLast;
    shuffle(order, random);
    for (const example of order) learn(rows, example, rate);
    const kept = Math.max(0, 1 - rate * decay * examples.length);
    for (const row of rows.values()) row.forEach((weight, task) => (row[task] = weight * kept));
  }
  return new Map(
    tasks.map((name, task) => [
      name,
      new Map([...rows].map(([signal, row]) => [signal, (row[task] ?? 0) / certainty])),
    ]),
  );
}

/** Returns true if the task type of most weight is that of the label. */
export function isRight(weights: Weights, { label, words, signals, possible }: Example): boolean {
  let best = -Infinity;
  let found = -1;
  for (const [task, name] of tasks.entries()) {
    if (!possible[task]) continue;
    let score = words[task] ?? 0;
    for (const signal of signals) score += weights.get(name)?.get(signal) ?? 0;
    if (score > best) [found, best] = [task, score];
  }
  return found === label;
}

function learn(rows: ReadonlyMap<string, Float64Array>, example: Example, rate: number): void {
  const own = example.signals.map((signal) => rows.get(signal) ?? new Float64Array(tasks.length));
  const odds = tasks.map((_, task) => {
    if (!example.possible[task]) return 0;
    let score = certainty * (example.words[task] ?? 0);
    for (const row of own) score += row[task] ?? 0;
    return Math.exp(score);
  });
  const sum = odds.reduce((total, one) => total + one, 0);
  for (const [task, one] of odds.entries()) {
    const step = rate * example.weight * (one / sum - (task === example.label ? 1 : 0));
    for (const row of own) row[task] = (row[task] ?? 0) - step;
  }
}

function shuffle(items: Example[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [items[last], items[other]];
    if (a !== undefined && b !== undefined) [items[last], items[other]] = [b, a];
  }
}

/** A multiplicative congruential generator (Park and Miller). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
