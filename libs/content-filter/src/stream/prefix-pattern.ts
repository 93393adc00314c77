import { type AST, RegExpParser } from '@eslint-community/regexpp';

const parser = new RegExpParser({ ecmaVersion: 2025 });
/** The linear-time engine nests no deeper. */
const depthMax = 400;
const charactersMax = 20_000;

/**
 * Returns a pattern whose matches are the beginnings of the matches of another one, and those matches themselves.
 * Returns undefined if a beginning says nothing: the pattern depends on where the text begins, or is too long.
 */
export function prefixPattern(pattern: string): string | undefined {
  if (pattern.length > charactersMax) return undefined;
  let parsed: AST.Pattern;
  try {
    parsed = parser.parsePattern(pattern, 0, pattern.length, { unicode: false });
  } catch {
    // The linear-time engine also takes notations that JavaScript lacks, as `(?i)`.
    return undefined;
  }
  try {
    const source = prefixOfAny(parsed.alternatives, 0);
    return source.length > 4 * charactersMax ? undefined : source;
  } catch (error) {
    if (error instanceof Indeterminate) return undefined;
    throw error;
  }
}

class Indeterminate extends Error {}

function prefixOfAny(alternatives: readonly AST.Alternative[], depth: number): string {
  return `(?:${alternatives.map(({ elements }) => prefixOfAll(elements, depth)).join('|')})`;
}

/** A beginning of `abc` ends in `a`, or has `a` and ends in `bc`. */
function prefixOfAll(elements: readonly AST.Element[], depth: number): string {
  if (depth + elements.length > depthMax) throw new Indeterminate();
  return elements.reduceRight((rest, element) => {
    const own = prefixOf(element, depth + elements.length);
    const whole = `${wholeOf(element)}${rest}`;
    if (own === '') return whole;
    // One character ends before it or goes on behind it.
    return isCharacter(element) ? `(?:${whole})?` : `(?:${whole}|${own})`;
  }, '');
}

function isCharacter({ type }: AST.Element): boolean {
  return type === 'Character' || type === 'CharacterSet' || type === 'CharacterClass';
}

function prefixOf(element: AST.Element, depth: number): string {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return `(?:${element.raw})?`;
    case 'CapturingGroup':
    case 'Group':
      return inModifiers(element, prefixOfAny(element.alternatives, depth));
    case 'Quantifier': {
      const own = prefixOf(element.element, depth + 1);
      if (element.max === 0) return '';
      const before = element.max === Infinity ? '*' : `{0,${element.max - 1}}`;
      return `(?:(?:${wholeOf(element.element)})${before}${own})`;
    }
    case 'Assertion':
      if (element.kind === 'word' || element.kind === 'end') return '';
      throw new Indeterminate();
    default:
      throw new Indeterminate();
  }
}

/** Returns the element itself. What stands behind it in the text is not known yet, so that it asserts nothing. */
function wholeOf(element: AST.Element): string {
  switch (element.type) {
    case 'Assertion':
      return '';
    case 'CapturingGroup':
    case 'Group': {
      const inner = element.alternatives.map(({ elements }) => elements.map(wholeOf).join(''));
      return inModifiers(element, `(?:${inner.join('|')})`);
    }
    case 'Quantifier': {
      const suffix = element.raw.slice(element.element.raw.length);
      return `(?:${wholeOf(element.element)})${suffix}`;
    }
    default:
      return element.raw;
  }
}

function inModifiers(element: AST.Group | AST.CapturingGroup, source: string): string {
  const modifiers = element.type === 'Group' ? element.modifiers?.raw : undefined;
  return modifiers ? `(?${modifiers}:${source})` : source;
}
