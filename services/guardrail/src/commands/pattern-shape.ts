interface Alternative {
  /** Something that must be there once each time: it keeps two repetitions apart. */
  hasFixedPart: boolean;
  /** Something in it repeats without an end. */
  repeats: boolean;
}

interface Group {
  readonly alternatives: Alternative[];
}

interface Quantifier {
  readonly length: number;
  readonly isOptional: boolean;
  readonly isUnbounded: boolean;
}

const noQuantifier: Quantifier = { length: 0, isOptional: false, isUnbounded: false };
const boundsPattern = /^\{(\d{0,9})(,?)(\d{0,9})\}/;

/**
 * Finds what a linear-time engine accepts and the contract does not: a reference by name, and a repetition
 * of repetitions only, `(a+)+`, which takes other engines exponential time. undefined: the pattern has
 * neither.
 */
export function shapeProblem(pattern: string): string | undefined {
  const groups: Group[] = [newGroup()];
  for (let index = 0; index < pattern.length;) {
    const character = pattern.charAt(index);
    if (character === '(') {
      groups.push(newGroup());
      index += groupOpeningLength(pattern, index);
    } else if (character === '|') {
      groups.at(-1)?.alternatives.push(newAlternative());
      index++;
    } else if (character === ')') {
      const group = groups.length > 1 ? groups.pop() : undefined;
      const quantifier = quantifierAt(pattern, index + 1);
      if (group && quantifier.isUnbounded && group.alternatives.some(repeatsOnly))
        return 'has a repetition of repetitions';
      add(groups, atomOf(group), quantifier);
      index += 1 + quantifier.length;
    } else {
      if (pattern.startsWith(String.raw`\k<`, index)) return 'refers back to a group';
      const length = atomLength(pattern, index);
      const quantifier = quantifierAt(pattern, index + length);
      add(groups, { hasFixedPart: true, repeats: false }, quantifier);
      index += length + quantifier.length;
    }
  }
  return undefined;
}

const newAlternative = (): Alternative => ({ hasFixedPart: false, repeats: false });
const newGroup = (): Group => ({ alternatives: [newAlternative()] });
const repeatsOnly = ({ repeats, hasFixedPart }: Alternative) => repeats && !hasFixedPart;

function atomOf(group: Group | undefined): Alternative {
  const alternatives = group?.alternatives ?? [];
  return {
    hasFixedPart: alternatives.every(({ hasFixedPart }) => hasFixedPart),
    repeats: alternatives.some(({ repeats }) => repeats),
  };
}

function add(groups: readonly Group[], atom: Alternative, quantifier: Quantifier): void {
  const into = groups.at(-1)?.alternatives.at(-1);
  if (!into) return;
  into.repeats ||= atom.repeats || quantifier.isUnbounded;
  into.hasFixedPart ||= atom.hasFixedPart && !quantifier.isOptional && !quantifier.isUnbounded;
}

/** Returns the length of `(`, `(?:`, `(?i:` or `(?<name>`, which is not part of the group's pattern. */
function groupOpeningLength(pattern: string, index: number): number {
  const opening = /^\((?:\?(?:P?<[^>]{0,200}>|[a-zA-Z-]{0,8}:|[=!]|<[=!]))?/;
  return opening.exec(pattern.slice(index, index + 256))?.[0].length ?? 1;
}

/** A class, an escape, or a character. */
function atomLength(pattern: string, index: number): number {
  const character = pattern.charAt(index);
  if (character === '\\') return 2;
  if (character !== '[') return 1;
  let end = index + 1;
  // A bracket that comes first is one of the class.
  if (pattern.charAt(end) === '^') end++;
  if (pattern.charAt(end) === ']') end++;
  while (end < pattern.length && pattern.charAt(end) !== ']')
    end += pattern.charAt(end) === '\\' ? 2 : 1;
  return end + 1 - index;
}

function quantifierAt(pattern: string, index: number): Quantifier {
  const character = pattern.charAt(index);
  const lazy = (length: number) => (pattern.charAt(index + length) === '?' ? length + 1 : length);
  if (character === '*') return { length: lazy(1), isOptional: true, isUnbounded: true };
  if (character === '+') return { length: lazy(1), isOptional: false, isUnbounded: true };
  if (character === '?') return { length: lazy(1), isOptional: true, isUnbounded: false };
  const bounds = character === '{' ? boundsPattern.exec(pattern.slice(index, index + 24)) : null;
  if (!bounds) return noQuantifier;
  const [whole, least = '', comma = '', most = ''] = bounds;
  return {
    length: lazy(whole.length),
    isOptional: Number(least) === 0,
    isUnbounded: comma === ',' && most === '',
  };
}
