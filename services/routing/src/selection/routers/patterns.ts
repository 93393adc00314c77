/**
 * Returns whether a name matches one of these patterns, in which `*` stands for any text. A pattern is compiled to its
 * literal pieces: a match searches each piece once and never goes back, so that no pattern is slow.
 */
export function compilePatterns(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set<string>();
  const globs: Glob[] = [];
  for (const pattern of new Set(patterns)) {
    if (!pattern.includes('*')) exact.add(pattern);
    else globs.push(globOf(pattern));
  }
  return (name) => exact.has(name) || globs.some((glob) => matches(name, glob));
}

/** A pattern with at least one `*`. */
interface Glob {
  readonly start: string;
  readonly middle: readonly string[];
  readonly end: string;
  /** No shorter name matches. */
  readonly lengthMin: number;
}

function globOf(pattern: string): Glob {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop() ?? '';
  const middle = rest.filter((piece) => piece !== '');
  const lengthMin = [start, ...middle, end].reduce((sum, piece) => sum + piece.length, 0);
  return { start, middle, end, lengthMin };
}

function matches(name: string, { start, middle, end, lengthMin }: Glob): boolean {
  if (name.length < lengthMin || !name.startsWith(start) || !name.endsWith(end)) return false;
  const last = name.length - end.length;
  let at = start.length;
  for (const piece of middle) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > last) return false;
    at = found + piece.length;
  }
  return true;
}
