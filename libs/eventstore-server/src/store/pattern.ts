import { RE2JS, RE2JSException } from 're2js';

/** Returns true if a text has a match for the pattern somewhere. */
export type Pattern = (text: string) => boolean;

export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const patternCharactersMax = 1_000;
/** Instructions of the compiled pattern: a match takes at most so many steps a character. */
const instructionsMax = 1_000;

/**
 * Compiles a regular expression of a client with RE2, which matches in time that grows with pattern times text:
 * no pattern can hold the node up. It has no look-around and no back-references. Throws PatternError.
 */
export function compilePattern(text: string): Pattern {
  if (text.length > patternCharactersMax) throw new PatternError('the pattern is too long');
  const compiled = compile(text);
  if (compiled.programSize() > instructionsMax) throw new PatternError('the pattern is too large');
  return (subject) => compiled.test(subject);
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    throw error;
  }
}
