import { unflagged, type Verdict } from '../moderator.ts';
import { fold, readWords, type ReadWords } from './read-words.ts';
import { categories, type Rule } from './rule.ts';
import { rules } from './rules/index.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(rules);
/** Words before and after a match that are read for its context. */
const contextWords = 8;

/** Judges one piece of a text. The work grows with its length. */
export function classify(piece: string): Verdict {
  const matched = matchedRules(readWords(fold(piece), vocabulary));
  if (matched.size === 0) return unflagged;
  return {
    isFlagged: true,
    reasons: categories.filter((category) => [...matched].some((one) => one.category === category)),
    confidence: [...matched].some(({ confidence }) => confidence === 'high') ? 'high' : 'medium',
  };
}

/**
 * Walks through the words once. It keeps the last place at which each step of each rule was reached: the last one is
 * the nearest to the words to come.
 */
function matchedRules({ words, places }: ReadWords): ReadonlySet<Rule> {
  const matched = new Set<Rule>();
  const reached = rules.map(({ steps }) => steps.map(() => -Infinity));
  words.forEach((word, index) => {
    const place = places[index] ?? 0;
    for (const { rule: number, step } of vocabulary.placesOf(word) ?? []) {
      const rule = rules[number];
      const last = reached[number];
      if (!rule || !last || matched.has(rule)) continue;
      const before = step === 0 ? place : (last[step - 1] ?? -Infinity);
      if (place - before > (rule.steps[step]?.gapMax ?? 0)) continue;
      if (step > 0 && place === before) continue;
      last[step] = place;
      if (step === rule.steps.length - 1 && !isExcused(rule, words, index)) matched.add(rule);
    }
  });
  return matched;
}

function isExcused({ unless, reach }: Rule, words: readonly string[], index: number): boolean {
  const end = Math.min(words.length, index + contextWords + 1);
  for (let at = Math.max(0, index - reach - contextWords); at < end; at += 1)
    if (unless.has(words[at] ?? '')) return true;
  return false;
}
