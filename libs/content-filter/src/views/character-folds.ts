import unhomoglyph from 'unhomoglyph';

/** The kinds of characters that a fold has beside another character. */
export const unchanged = 1;
export const removed = 2;
export const several = 3;

const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u;
/** Format characters that are seen: signs before Arabic and Kaithi numbers. */
const visible = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const lineEnd = /[\u0085\u2028\u2029]/u;
/** A mark of any alphabet that stands on no letter. */
const inheritedMark = /^(?=\p{M})\p{Script=Inherited}/u;
const decimal = /\p{Nd}/u;
const dash = /\p{Pd}/u;
const letter = /^[A-Za-z]$/u;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const shortWord = /^[\p{L}\p{M}\p{N}]{1,4}$/u;
/** Characters of ordinary Romance, Thai and Lao texts. */
const ordinary = /[ªº\u0e33\u0eb3]/u;
const printable = /^[!-~]$/u;
const astralMin = 0x1_00_00;
const tagStart = 0xe_00_00;

/** Numbers and letters in rings, brackets and boxes that have no decomposition to one: first, last, their beginning. */
const enclosed: readonly (readonly [first: number, last: number, from: number | string])[] = [
  [0x24_74, 0x24_87, 1],
  [0x24_88, 0x24_9b, 1],
  [0x24_9c, 0x24_b5, 'a'],
  [0x24_eb, 0x24_f4, 11],
  [0x24_f5, 0x24_fe, 1],
  [0x24_ff, 0x24_ff, 0],
  [0x27_76, 0x27_7f, 1],
  [0x27_80, 0x27_89, 1],
  [0x27_8a, 0x27_93, 1],
  [0x1_f1_00, 0x1_f1_00, 0],
  [0x1_f1_01, 0x1_f1_0a, 0],
  [0x1_f1_0b, 0x1_f1_0b, 0],
  [0x1_f1_0c, 0x1_f1_0c, 0],
  [0x1_f1_10, 0x1_f1_29, 'A'],
  [0x1_f1_50, 0x1_f1_69, 'A'],
  [0x1_f1_70, 0x1_f1_89, 'A'],
  [0x1_f1_e6, 0x1_f1_ff, 'A'],
];

const folds = new Uint16Array(astralMin);
/** Folds of several characters. */
const longFolds = new Map<number, string>();
const astralFolds = new Map<number, string | null>();
const astralFoldsMax = 8_192;

/**
 * Returns the fold of a character of the basic plane: `unchanged`, `removed`, `several` (see `longFold`), or the
 * code of the one character that it is to a reader.
 */
export function foldOf(unit: number): number {
  const known = folds[unit] ?? 0;
  if (known > 0) return known;
  const fold = computedFold(unit);
  const one =
    fold === null
      ? unchanged
      : fold === ''
        ? removed
        : fold.length === 1
          ? fold.charCodeAt(0)
          : several;
  if (one === several && fold !== null) longFolds.set(unit, fold);
  folds[unit] = one;
  return one;
}

/** Returns the fold of a character that has several. */
export function longFold(unit: number): string {
  return longFolds.get(unit) ?? '';
}

/** Returns the fold of a character beyond the basic plane; null: it stays. */
export function astralFold(codePoint: number): string | null {
  const known = astralFolds.get(codePoint);
  if (known !== undefined) return known;
  const fold = computedFold(codePoint);
  if (astralFolds.size < astralFoldsMax) astralFolds.set(codePoint, fold);
  return fold;
}

/** Returns the ASCII character whose invisible twin a tag is, or ''. Models read tags. */
export function tagFold(codePoint: number): string {
  return codePoint > tagStart + 0x1f && codePoint < tagStart + 0x7f
    ? String.fromCharCode(codePoint - tagStart)
    : '';
}

function computedFold(codePoint: number): string | null {
  const character = String.fromCodePoint(codePoint);
  if (lineEnd.test(character)) return '\n';
  if (ignorable.test(character)) return visible.test(character) ? null : '';
  if (inheritedMark.test(character)) return '';
  if (decimal.test(character)) return digitOf(codePoint);
  if (codePoint >= astralMin && dash.test(character)) return '-';
  const inside = enclosedIn(codePoint);
  if (inside !== null) return inside;
  const plain = character.normalize('NFKC');
  if (plain !== character) {
    if (ordinary.test(character)) return null;
    if (printable.test(plain) && !isPunctuation(plain)) return plain;
    // It looks like another letter than the one that it is a form of.
    if (letter.test(unhomoglyph(character))) return null;
    return wordCharacter.test(character) && shortWord.test(plain) ? plain : null;
  }
  // Letters of alphabets that are no longer written.
  if (codePoint < astralMin) return null;
  const alike = unhomoglyph(character);
  return letter.test(alike) ? alike : null;
}

/** Signs are folded by what stands beside them, but for the one that makes an address. */
function isPunctuation(character: string): boolean {
  return character !== '@' && !/[A-Za-z0-9]/u.test(character);
}

/** The digits of each script stand one after the other, from zero on. */
function digitOf(codePoint: number): string {
  let zero = codePoint;
  while (decimal.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((codePoint - zero) % 10);
}

function enclosedIn(codePoint: number): string | null {
  for (const [first, last, from] of enclosed)
    if (codePoint >= first && codePoint <= last)
      return typeof from === 'number'
        ? String(from + codePoint - first)
        : String.fromCharCode(from.charCodeAt(0) + codePoint - first);
  return null;
}
