import { digitIn, foreignOf, kindOf, kinds, latinBehind, signOf } from './look-alikes.ts';
import { ViewBuilder } from './text-view.ts';

/** So many digits one after the other are a number that is read digit by digit. */
const digitsMin = 6;

/** Puts digits in the place of Chinese ones, and of letters that look like them, in a long number. */
export function foldDigits(characters: ViewBuilder, isGrowing: boolean): void {
  let [start, end, digits] = [-1, 0, 0];
  let isOther = false;
  const close = (isLast: boolean) => {
    if (isOther && (digits >= digitsMin || (isLast && isGrowing)))
      for (let at = start; at < end; at += 1) {
        const digit = digitIn(characters.unitAt(at));
        if (digit > 0) characters.set(at, digit);
      }
    [start, digits, isOther] = [-1, 0, false];
  };
  for (let at = 0; at < characters.length; at += 1) {
    const unit = characters.unitAt(at);
    const isForeign = digitIn(unit) > 0;
    if (isForeign || isDigit(unit)) {
      if (start < 0) start = at;
      digits += 1;
      isOther ||= isForeign;
      end = at + 1;
    } else if (start >= 0 && (at - end >= separatorsMax || !isSeparator(unit))) close(false);
  }
  if (start >= 0) close(true);
}

const separatorsMax = 3;

/** Folds what depends on the characters beside it: spaces, dashes, signs, digits, and words without spaces. */
export function foldedInContext(characters: ViewBuilder, isGrowing: boolean): ViewBuilder {
  const folded = new ViewBuilder(characters.length);
  folded.isChanged = characters.isChanged;
  for (let at = 0; at < characters.length; at += 1) {
    const unit = characters.unitAt(at);
    const origin = characters.originAt(at);
    const before = folded.unitAt(folded.length - 1);
    if (unit < 0x80) {
      if (touches(before, unit)) addSpace(folded, origin);
      folded.add(unit, origin);
      continue;
    }
    const isLast = at + 1 === characters.length;
    const after = isLast && isGrowing ? digitZero : characters.unitAt(at + 1);
    const fold = contextFold(unit, before, after);
    if (fold !== unit) folded.isChanged = true;
    else if (touches(unit, before)) addSpace(folded, origin);
    folded.add(fold, origin);
  }
  return folded;
}

/** `ª` and `º` are ordinary where no letter follows. */
const ordinals = new Map([
  [0xaa, 0x61],
  [0xba, 0x6f],
]);
const digitZero = 0x30;
const blank = 0x20;
const hyphen = 0x2d;
const plus = 0x2b;

function addSpace(folded: ViewBuilder, origin: number): void {
  folded.add(blank, origin);
  folded.isChanged = true;
}

/** Says whether a letter of a word without spaces stands directly beside a word or a number of ASCII. */
function touches(letter: number, other: number): boolean {
  return (
    letter > 0x7f &&
    (isDigit(other) || isAsciiLetter(other) || other === plus) &&
    (kindOf(letter) & kinds.unspaced) > 0
  );
}

function contextFold(unit: number, before: number, after: number): number {
  const kind = kindOf(unit);
  const isInNumber = isDigit(before) || isDigit(after);
  if ((kind & kinds.space) > 0) return isBetweenWords(before, after) ? blank : unit;
  if ((kind & kinds.dash) > 0) {
    const isLong = unit === 0x20_14 || unit === 0x20_15;
    return isInNumber || (!isLong && isWord(before) && isWord(after)) ? hyphen : unit;
  }
  if ((kind & kinds.sign) > 0)
    return isInNumber || isSignOfAscii(kind, before, after) ? signOf(unit) : unit;
  const ordinal = ordinals.get(unit);
  return ordinal !== undefined && isAscii(before) && isAscii(after) ? ordinal : unit;
}

function isSignOfAscii(kind: number, before: number, after: number): boolean {
  if ((kind & kinds.form) > 0) return (before > blank && before < 0x7f) || isAscii(after);
  return isAscii(before) && isAscii(after);
}

function isWord(unit: number): boolean {
  return (kindOf(unit) & kinds.letterOrDigit) > 0;
}

function isBetweenWords(before: number, after: number): boolean {
  const isJoined = (unit: number) =>
    unit === blank ||
    unit === hyphen ||
    (kindOf(unit) & (kinds.letterOrDigit | kinds.space | kinds.dash)) > 0;
  return isJoined(before) && isJoined(after);
}

/** The letters of a word by their alphabets. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly latin: number;
  readonly alphabet: 'cyrillic' | 'greek' | undefined;
  readonly hasDigit: boolean;
}

/** The alphabet for a word whose letters could be of two. */
export type Preference = 'latin' | 'foreign';

/** Puts the letters of each word of several alphabets into one. Returns whether a word could be of two. */
export function foldMixedWords(view: ViewBuilder, preference: Preference): boolean {
  let start = -1;
  let bits = 0;
  let isAmbiguous = false;
  for (let at = 0; at <= view.length; at += 1) {
    const kind = kindOf(view.unitAt(at));
    if ((kind & kinds.letterOrDigit) > 0 && (kind & kinds.unspaced) === 0) {
      if (start < 0) [start, bits] = [at, 0];
      bits |= kind;
    } else if (start >= 0) {
      if ((bits & kinds.foreign) > 0) {
        const word = readWord(view, start, at);
        if (isMixed(word, bits) && foldWord(view, word, preference)) isAmbiguous = true;
      }
      start = -1;
    }
  }
  return isAmbiguous;
}

function readWord(view: ViewBuilder, start: number, end: number): Word {
  let [latin, bits] = [0, 0];
  let hasDigit = false;
  for (let at = start; at < end; at += 1) {
    const unit = view.unitAt(at);
    const kind = kindOf(unit);
    bits |= kind;
    if (isDigit(unit)) hasDigit = true;
    else if ((kind & kinds.latin) > 0) latin += 1;
  }
  const isCyrillic = (bits & kinds.cyrillic) > 0;
  const isGreek = (bits & kinds.greek) > 0;
  const alphabet = isCyrillic === isGreek ? undefined : isCyrillic ? 'cyrillic' : 'greek';
  return { start, end, latin, alphabet, hasDigit };
}

function isMixed({ latin, hasDigit }: Word, bits: number): boolean {
  const isOfTwo = (bits & kinds.cyrillic) > 0 && (bits & kinds.greek) > 0;
  return latin > 0 || hasDigit || isOfTwo;
}

function foldWord(view: ViewBuilder, word: Word, preference: Preference): boolean {
  const { start, end, latin } = word;
  const folds: number[] = [];
  for (let at = start; at < end; at += 1)
    folds.push(latinIn(view.unitAt(at), folds.at(-1) ?? 0, word));
  const isLatin = folds.every((unit) => (kindOf(unit) & kinds.foreign) === 0);
  const others = latin > 0 ? foreignWord(view, word) : undefined;
  const letters = others && (preference === 'foreign' || !isLatin) ? others : isLatin ? folds : [];
  letters.forEach((unit, at) => view.set(start + at, unit));
  return isLatin && others !== undefined;
}

/** Returns the Latin letter of a word, or the digit of a number. */
function latinIn(unit: number, before: number, { latin }: Word): number {
  if ((kindOf(unit) & kinds.foreign) === 0) return unit;
  const digit = digitIn(unit);
  if (latin === 0 && digit > 0) return digit;
  const letter = latinBehind(unit, before);
  return letter === unit && digit > 0 ? digit : letter;
}

/** Returns the letters of a word in its foreign alphabet; undefined: one of them has no place there. */
function foreignWord(
  view: ViewBuilder,
  { start, end, alphabet }: Word,
): readonly number[] | undefined {
  if (!alphabet) return undefined;
  const letters: number[] = [];
  for (let at = start; at < end; at += 1) {
    const unit = view.unitAt(at);
    const isLatin = (kindOf(unit) & kinds.latin) > 0;
    const letter = isLatin ? foreignOf(unit, alphabet) : unit;
    if (letter === 0) return undefined;
    letters.push(letter);
  }
  return letters;
}

function isDigit(unit: number): boolean {
  return unit >= digitZero && unit <= 0x39;
}

function isAsciiLetter(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

function isAscii(unit: number): boolean {
  return isDigit(unit) || isAsciiLetter(unit);
}

function isSeparator(unit: number): boolean {
  return (
    ' -./()'.includes(String.fromCharCode(unit)) || (kindOf(unit) & (kinds.space | kinds.dash)) > 0
  );
}
