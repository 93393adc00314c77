import { RE2JS, RE2Set } from 're2js';
import type { Finding } from './span.ts';

/** Patterns of users, run in linear time: one pass finds which of them can match, and only those are run again. */
export interface CustomPatterns {
  /** The findings of each pattern, in their order. */
  find(text: string): readonly (readonly Finding[])[];
}

/** A text has more findings than can be told. */
export class TooManyFindings extends Error {
  constructor() {
    super('the text has too many findings');
    this.name = 'TooManyFindings';
  }
}

/** Findings of one pattern in one text. */
const findingsMax = 100_000;

/** Throws for a pattern that the engine does not take. */
export function compilePatterns(patterns: readonly string[]): CustomPatterns {
  const set = new RE2Set();
  const compiled = patterns.map((pattern) => {
    const translated = RE2JS.translateRegExp(pattern);
    set.add(translated);
    return RE2JS.compile(translated);
  });
  set.compile();
  return {
    find(text) {
      const candidates = new Set(set.match(text));
      return compiled.map((pattern, index) => (candidates.has(index) ? allOf(pattern, text) : []));
    },
  };
}

function allOf(pattern: RE2JS, text: string): readonly Finding[] {
  const findings: Finding[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (end === start) continue;
    if (findings.length === findingsMax) throw new TooManyFindings();
    findings.push({ start, end, score: 1, rule: 'custom' });
  }
  return findings;
}
