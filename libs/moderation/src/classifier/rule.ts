import type { Confidence } from '../moderator.ts';

/** The categories of the classifier, in the order in which a verdict names them. */
export const categories = [
  'sexual/minors',
  'violence',
  'hate',
  'self-harm',
  'illicit',
  'sexual',
  'harassment',
] as const;
export type Category = (typeof categories)[number];

/** Words that follow each other in a text make it one of a category. */
export interface Rule {
  readonly category: Category;
  readonly confidence: Exclude<Confidence, 'low'>;
  readonly steps: readonly Step[];
  /** The rule does not count if one of these words is near. */
  readonly unless: ReadonlySet<string>;
  /** Places from the first to the last step. */
  readonly reach: number;
}

interface Step {
  readonly words: ReadonlySet<string>;
  /** The most places after the step before; 1: right after it. */
  readonly gapMax: number;
}

/** Returns the words of a list with their usual endings. `=word` is taken as it is, and so is a short word. */
export function wordsOf(list: string): ReadonlySet<string> {
  return new Set(
    list
      .trim()
      .split(/\s+/u)
      .flatMap((word) => (word.startsWith('=') ? [word.slice(1)] : withEndings(word))),
  );
}

const shortMax = 3;

function withEndings(word: string): readonly string[] {
  if (word.length < shortMax) return [word];
  const last = word.at(-1) ?? '';
  const stem = last === 'e' ? word.slice(0, -1) : word;
  const forms = [
    word,
    `${word}s`,
    `${word}es`,
    `${stem}ed`,
    `${stem}ing`,
    `${stem}er`,
    `${stem}ers`,
  ];
  if (last === 'y') forms.push(`${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`);
  if (/[^aeiou][aeiou][bgmnprt]$/u.test(word)) forms.push(`${word}${last}ed`, `${word}${last}ing`);
  return forms;
}

/** Returns a rule. A number before a list of words is the most places between it and the list before. */
export function rule(
  category: Category,
  confidence: Rule['confidence'],
  path: readonly (string | number)[],
  unless = '',
): Rule {
  const steps: Step[] = [];
  let gapMax = 1;
  for (const part of path)
    if (typeof part === 'number') gapMax = part;
    else {
      steps.push({ words: wordsOf(part), gapMax });
      gapMax = 1;
    }
  const reach = steps.reduce((sum, step) => sum + step.gapMax, 0);
  return { category, confidence, steps, unless: wordsOf(unless), reach };
}
