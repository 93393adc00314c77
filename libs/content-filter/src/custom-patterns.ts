import { RE2JS, RE2Set } from 're2js';
import type { Finding } from './span.ts';

/** Patterns of users, run in linear time. */
export interface CustomPatterns {
  /** Instructions of all patterns. The time of a search grows with them and with the text. */
  readonly instructions: number;
  /** The findings of each pattern, in their order. `pause` is called between them, and throws to end the search. */
  find(text: string, pause?: () => void): readonly (readonly Finding[])[];
}

/** A text has more findings than can be reported. */
export class TooManyFindings extends Error {
  constructor() {
    super('the text has too many findings');
    this.name = 'TooManyFindings';
  }
}

/** Findings of one pattern in one text. */
const findingsMax = 100_000;
/** One pass over all patterns costs more than a pass for each when there are more instructions. */
const joinedInstructionsMax = 4_000;

export interface PatternOptions {
  /**
   * True: one pass finds which patterns can match, and only those are run again. It keeps megabytes of what it learns
   * about the patterns.
   */
  readonly joins: boolean;
}

/** Throws for a pattern that the engine does not take. */
export function compilePatterns(
  patterns: readonly string[],
  { joins }: PatternOptions = { joins: true },
): CustomPatterns {
  const translated = patterns.map((pattern) => RE2JS.translateRegExp(pattern));
  const compiled = translated.map((pattern) => RE2JS.compile(pattern));
  const instructions = compiled.reduce((sum, pattern) => sum + pattern.programSize(), 0);
  const joined =
    joins && compiled.length > 1 && instructions <= joinedInstructionsMax
      ? joinedOf(translated)
      : undefined;
  return {
    instructions,
    find(text, pause) {
      const candidates = joined && new Set(joined.match(text));
      pause?.();
      return compiled.map((pattern, index) =>
        candidates?.has(index) === false ? [] : allOf(pattern, text, pause),
      );
    },
  };
}

/** A pattern that runs in linear time. */
export interface PatternTest {
  /** The time of a search grows with them and with the text. */
  readonly instructions: number;
  isIn(text: string): boolean;
}

/** Throws for a pattern that the engine does not take. */
export function patternTest(
  pattern: string,
  { ignoresCase }: { readonly ignoresCase: boolean },
): PatternTest {
  const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0;
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
  return {
    instructions: compiled.programSize(),
    isIn: (text) => compiled.matcher(text).find(),
  };
}

/** Returns the size of a pattern. Throws for one that the engine does not take. */
export function instructionsOf(pattern: string): number {
  return RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize();
}

function joinedOf(patterns: readonly string[]): RE2Set {
  const set = new RE2Set();
  for (const pattern of patterns) set.add(pattern);
  set.compile();
  return set;
}

function allOf(pattern: RE2JS, text: string, pause?: () => void): readonly Finding[] {
  const findings: Finding[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    pause?.();
    if (end === start) continue;
    if (findings.length === findingsMax) throw new TooManyFindings();
    findings.push({ start, end, score: 1, rule: 'custom' });
  }
  pause?.();
  return findings;
}
