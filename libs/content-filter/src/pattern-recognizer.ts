import type { Recognizer } from './recognizer.ts';
import type { Finding } from './span.ts';

/** A bounded pattern with what makes a match count. */
export interface PatternRule {
  readonly name: string;
  /** With the flag `g`; every repetition is bounded or begins behind a boundary. */
  readonly pattern: RegExp;
  /** A text without one of these characters has no match. */
  readonly needs?: RegExp;
  /** Returns the score of a match; 0: it does not count. */
  score(match: string, text: string, start: number): number;
}

/** Runs the rules one after the other. */
export function patternRecognizer(rules: readonly PatternRule[]): Recognizer {
  return {
    find(text) {
      const findings: Finding[] = [];
      for (const rule of rules) {
        if (rule.needs?.test(text) === false) continue;
        for (const match of text.matchAll(rule.pattern)) {
          const [found] = match;
          const score = rule.score(found, text, match.index);
          if (score > 0)
            findings.push({
              start: match.index,
              end: match.index + found.length,
              score,
              rule: rule.name,
            });
        }
      }
      return findings;
    },
  };
}
