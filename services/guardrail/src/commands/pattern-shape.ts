interface Alternative {
  /** Something that must be there once each time: it keeps two repetitions apart. */
  hasFixedPart: boolean;
  /** Something in it repeats without an end. */
  repeats: boolean;
  /** Instructions that it has at least when it is compiled. */
  instructions: number;
}

interface Group {
  readonly alternatives: Alternative[];
}

interface Quantifier {
  readonly length: number;
  readonly isOptional: boolean;
  readonly isUnbounded: boolean;
  /** Copies of the repeated part. */
  readonly copies: number;
}

const noQuantifier: Quantifier = {
  length: 0,
  isOptional: false,
  isUnbounded: false,
  copies: 1,
};
const boundsPattern = /^\{(\d{0,9})(,?)(\d{0,9})\}/;

/**
 * Finds what a linear-time engine accepts and the contract does not: a reference by name, and a repetition
 * of repetitions only, `(a+)+`, which takes other engines exponential time. undefined: the pattern has
 * neither.
 */
export function shapeProblem(pattern: string): string | undefined {
  return walk(pattern).problem;
}

/**
 * Returns how many instructions a pattern has at least when it is compiled. It does not count what a compiler may leave
 * out: of alternatives only the largest counts, and assertions do not.
 */
export function leastInstructions(pattern: string): number {
  return walk(pattern).instructions;
}

function walk(pattern: string): {
  readonly problem: string | undefined;
  readonly instructions: number;
} {
  const groups: Group[] = [newGroup()];
  const refused = (problem: string) => ({ problem, instructions: 0 });
  for (let index = 0; index < pattern.length;) {
    const character = pattern.charAt(index);
    const flags = character === '(' ? flagsLength(pattern, index) : 0;
    if (flags > 0) index += flags;
    else if (character === '(') {
      groups.push(newGroup());
      index += groupOpeningLength(pattern, index);
    } else if (character === '|') {
      groups.at(-1)?.alternatives.push(newAlternative());
      index++;
    } else if (character === ')') {
      const group = groups.length > 1 ? groups.pop() : undefined;
      const quantifier = quantifierAt(pattern, index + 1);
      if (group && quantifier.isUnbounded && group.alternatives.some(repeatsOnly))
        return refused('has a repetition of repetitions');
      add(groups, atomOf(group), quantifier);
      index += 1 + quantifier.length;
    } else {
      if (pattern.startsWith(String.raw`\k<`, index)) return refused('refers back to a group');
      const length = atomLength(pattern, index);
      const quantifier = quantifierAt(pattern, index + length);
      const instructions = isUncounted(pattern, index) ? 0 : 1;
      add(groups, { hasFixedPart: true, repeats: false, instructions }, quantifier);
      index += length + quantifier.length;
    }
  }
  while (groups.length > 1) add(groups, atomOf(groups.pop()), noQuantifier);
  return { problem: undefined, instructions: atomOf(groups[0]).instructions };
}

const newAlternative = (): Alternative => ({
  hasFixedPart: false,
  repeats: false,
  instructions: 0,
});
const newGroup = (): Group => ({ alternatives: [newAlternative()] });
const repeatsOnly = ({ repeats, hasFixedPart }: Alternative) => repeats && !hasFixedPart;

function atomOf(group: Group | undefined): Alternative {
  const alternatives = group?.alternatives ?? [];
  return {
    hasFixedPart: alternatives.every(({ hasFixedPart }) => hasFixedPart),
    repeats: alternatives.some(({ repeats }) => repeats),
    instructions: alternatives.reduce((most, one) => Math.max(most, one.instructions), 0),
  };
}

function add(groups: readonly Group[], atom: Alternative, quantifier: Quantifier): void {
  const into = groups.at(-1)?.alternatives.at(-1);
  if (!into) return;
  into.repeats ||= atom.repeats || quantifier.isUnbounded;
  into.instructions += atom.instructions * quantifier.copies;
  into.hasFixedPart ||= atom.hasFixedPart && !quantifier.isOptional && !quantifier.isUnbounded;
}

/** Returns the length of `(`, `(?:`, `(?i:` or `(?<name>`, which is not part of the group's pattern. */
function groupOpeningLength(pattern: string, index: number): number {
  const opening = /^\((?:\?(?:P?<[^>]{0,200}>|[a-zA-Z-]{0,8}:|[=!]|<[=!]))?/;
  return opening.exec(pattern.slice(index, index + 256))?.[0].length ?? 1;
}

/** Returns the length of flags that hold from here on, as `(?i)`. */
function flagsLength(pattern: string, index: number): number {
  return /^\(\?[a-zA-Z-]{1,8}\)/.exec(pattern.slice(index, index + 12))?.[0].length ?? 0;
}

/** Says whether an atom asserts something, or is the second half of a character. */
function isUncounted(pattern: string, index: number): boolean {
  const character = pattern.charAt(index);
  const code = pattern.charCodeAt(index);
  if (character === '\\') return /[bBAzZ]/.test(pattern.charAt(index + 1));
  return character === '^' || character === '$' || (code >= 0xdc_00 && code <= 0xdf_ff);
}

const escape =
  /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[xu]\{[\da-fA-F]{1,8}\}|[pP]\{[^}]{0,64}\}|c[a-zA-Z])/;
const escapeCharactersMax = 80;

/** A class, an escape, or a character. */
function atomLength(pattern: string, index: number): number {
  const character = pattern.charAt(index);
  if (character === '\\')
    return escape.exec(pattern.slice(index, index + escapeCharactersMax))?.[0].length ?? 2;
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
  if (character === '*') return { length: lazy(1), isOptional: true, isUnbounded: true, copies: 1 };
  if (character === '+')
    return { length: lazy(1), isOptional: false, isUnbounded: true, copies: 1 };
  if (character === '?')
    return { length: lazy(1), isOptional: true, isUnbounded: false, copies: 1 };
  const bounds = character === '{' ? boundsPattern.exec(pattern.slice(index, index + 24)) : null;
  if (!bounds) return noQuantifier;
  const [whole, least = '', comma = '', most = ''] = bounds;
  if (least === '') return noQuantifier;
  return {
    length: lazy(whole.length),
    isOptional: Number(least) === 0,
    isUnbounded: comma === ',' && most === '',
    copies: Number(most || least),
  };
}
