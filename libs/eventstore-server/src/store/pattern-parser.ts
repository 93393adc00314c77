/** One code point is in the set. */
export type CharacterSet = (codePoint: number) => boolean;

/** A regular expression as a tree. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'empty' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly min: number;
      /** Undefined: without end. */
      readonly max: number | undefined;
    };

export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const repetitionsMax = 100;
const depthMax = 50;

/** What .NET's and JavaScript's flavours have in common, without look-around and back-references. */
export function parsePattern(pattern: string): PatternNode {
  const input = new Input(Array.from(pattern));
  const node = parseChoice(input, 0);
  if (!input.done) throw new PatternError(`'${input.peek()}' closes nothing`);
  return node;
}

class Input {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  get done(): boolean {
    return this.#at >= this.#characters.length;
  }

  peek(): string | undefined {
    return this.#characters[this.#at];
  }

  next(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new PatternError('the pattern ends too early');
    return character;
  }

  /** Takes the text when it comes next. */
  takes(text: string): boolean {
    const end = this.#at + text.length;
    const found = this.#characters.slice(this.#at, end).join('') === text;
    if (found) this.#at = end;
    return found;
  }
}

function parseChoice(input: Input, depth: number): PatternNode {
  if (depth > depthMax) throw new PatternError('groups are nested too deeply');
  const parts = [parseSequence(input, depth)];
  while (input.takes('|')) parts.push(parseSequence(input, depth));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
}

function parseSequence(input: Input, depth: number): PatternNode {
  const parts: PatternNode[] = [];
  while (!input.done && input.peek() !== '|' && input.peek() !== ')')
    parts.push(parseRepeat(input, parseAtom(input, depth)));
  return { kind: 'sequence', parts };
}

function parseAtom(input: Input, depth: number): PatternNode {
  const character = input.next();
  switch (character) {
    case '^':
      return { kind: 'start' };
    case '$':
      return { kind: 'end' };
    case '.':
      return { kind: 'set', set: (codePoint) => codePoint !== newline };
    case '[':
      return { kind: 'set', set: parseClass(input) };
    case '\\':
      return { kind: 'set', set: escaped(input.next()) };
    case '(': {
      if (!input.takes('?:') && input.peek() === '?')
        throw new PatternError('only plain groups are understood');
      const group = parseChoice(input, depth + 1);
      if (!input.takes(')')) throw new PatternError('a group is not closed');
      return group;
    }
    case '*':
    case '+':
    case '?':
    case '{':
      throw new PatternError(`'${character}' repeats nothing`);
    default:
      return { kind: 'set', set: only(character) };
  }
}

/** Only whether there is a match is asked, so a lazy `?` behind it changes nothing. */
function parseRepeat(input: Input, part: PatternNode): PatternNode {
  const bounds = repeatBounds(input);
  if (!bounds) return part;
  input.takes('?');
  return { kind: 'repeat', part, ...bounds };
}

function repeatBounds(input: Input): { min: number; max: number | undefined } | undefined {
  if (input.takes('*')) return { min: 0, max: undefined };
  if (input.takes('+')) return { min: 1, max: undefined };
  if (input.takes('?')) return { min: 0, max: 1 };
  if (!input.takes('{')) return undefined;
  const min = parseCount(input);
  const max = !input.takes(',') ? min : input.peek() === '}' ? undefined : parseCount(input);
  if (!input.takes('}')) throw new PatternError('a repetition is not closed');
  if (max !== undefined && max < min) throw new PatternError('a repetition ends before it begins');
  return { min, max };
}

function parseCount(input: Input): number {
  let digits = '';
  while (/^\d$/.test(input.peek() ?? '')) digits += input.next();
  const count = digits === '' ? Number.NaN : Number(digits);
  if (count <= repetitionsMax) return count;
  throw new PatternError(`a repetition takes a number up to ${repetitionsMax}`);
}

function parseClass(input: Input): CharacterSet {
  const negated = input.takes('^');
  const sets: CharacterSet[] = [];
  do {
    const from = input.next();
    if (from === '\\') {
      sets.push(escaped(input.next()));
      continue;
    }
    if (from === '[') throw new PatternError('a class in a class is not understood');
    sets.push(input.takes('-') ? classRange(input, from) : only(from));
  } while (!input.takes(']'));
  return negated
    ? (codePoint) => !sets.some((set) => set(codePoint))
    : (codePoint) => sets.some((set) => set(codePoint));
}

function classRange(input: Input, from: string): CharacterSet {
  const minus = only('-');
  const first = only(from);
  if (input.peek() === ']') return (codePoint) => first(codePoint) || minus(codePoint);
  const to = input.next();
  const [low, high] = [codePointOf(from), codePointOf(to === '\\' ? input.next() : to)];
  if (high < low) throw new PatternError(`the range ${from}-${to} is empty`);
  return (codePoint) => codePoint >= low && codePoint <= high;
}

const newline = 10;
const escapes: Readonly<Record<string, CharacterSet>> = {
  d: (codePoint) => /^\d$/.test(String.fromCodePoint(codePoint)),
  w: (codePoint) => /^[\p{L}\p{N}_]$/u.test(String.fromCodePoint(codePoint)),
  s: (codePoint) => /^\s$/.test(String.fromCodePoint(codePoint)),
  t: only('\t'),
  n: only('\n'),
  r: only('\r'),
};

function escaped(character: string): CharacterSet {
  const known = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
  if (known) return known;
  const opposite = 'DWS'.includes(character) ? escapes[character.toLowerCase()] : undefined;
  if (opposite) return (codePoint) => !opposite(codePoint);
  if (/^[A-Za-z0-9]$/.test(character)) throw new PatternError(`\\${character} is not understood`);
  return only(character);
}

function only(character: string): CharacterSet {
  const wanted = codePointOf(character);
  return (codePoint) => codePoint === wanted;
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
