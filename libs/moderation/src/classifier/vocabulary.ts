import type { Rule } from './rule.ts';

/** A step of a rule that a word is one of. */
export interface Place {
  /** The index of the rule. */
  readonly rule: number;
  readonly step: number;
}

/** The words of all rules. */
export interface Vocabulary {
  has(word: string): boolean;
  /** Returns the steps of rules that the word is one of. */
  placesOf(word: string): readonly Place[] | undefined;
  /** Returns true if a word begins with these letters. */
  hasPrefix(letters: string): boolean;
}

/** Words that separate others in a text without spaces. */
const small = `a an the to of in on at my your me i you and or is are do for with it that this can will be was not no
  home want please now`;

/** Indexes the words of rules. Later steps of a rule come first, so that one word is not two steps. */
export function createVocabulary(rules: readonly Rule[]): Vocabulary {
  const places = new Map<string, Place[]>();
  rules.forEach(({ steps }, rule) => {
    for (let step = steps.length - 1; step >= 0; step -= 1)
      for (const word of steps[step]?.words ?? []) {
        const known = places.get(word);
        if (known) known.push({ rule, step });
        else places.set(word, [{ rule, step }]);
      }
  });
  const words = new Set([...places.keys(), ...small.split(/\s+/u)]);
  const prefixes = new Set<string>();
  for (const word of words)
    for (let end = 1; end <= word.length; end += 1) prefixes.add(word.slice(0, end));
  return {
    has: (word) => words.has(word),
    placesOf: (word) => places.get(word),
    hasPrefix: (letters) => prefixes.has(letters),
  };
}

const unknownCost = 4;

/** Separates letters without spaces into words of the vocabulary, as few as possible. */
export function segmentWords(letters: string, vocabulary: Vocabulary): readonly string[] {
  const costs = Array.from({ length: letters.length + 1 }, () => Infinity);
  const starts = Array.from({ length: letters.length + 1 }, () => 0);
  costs[0] = 0;
  const reach = (start: number, end: number, cost: number) => {
    const total = (costs[start] ?? Infinity) + cost;
    if (total >= (costs[end] ?? 0)) return;
    costs[end] = total;
    starts[end] = start;
  };
  for (let start = 0; start < letters.length; start += 1) {
    reach(start, start + 1, unknownCost);
    for (let end = start + 1; end <= letters.length; end += 1) {
      const word = letters.slice(start, end);
      if (!vocabulary.hasPrefix(word)) break;
      if (vocabulary.has(word)) reach(start, end, 1);
    }
  }
  const words: string[] = [];
  for (let end = letters.length; end > 0; end = starts[end] ?? 0)
    words.push(letters.slice(starts[end] ?? 0, end));
  return words.toReversed();
}
