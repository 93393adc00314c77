import fc from 'fast-check';
import unhomoglyph from 'unhomoglyph';

/** Ways to write a text in other characters that a reader takes for the same, of all that Unicode has. */
export interface Disguise {
  readonly name: string;
  /** Returns what may stand for a character; nothing: it has no such disguise. */
  readonly forms: (character: string) => readonly string[];
}

const all = Array.from({ length: 0x2_00_00 }, (_, code) => code)
  .filter((code) => code < 0xd8_00 || code > 0xf8_ff)
  .map((code) => String.fromCodePoint(code))
  .concat(Array.from({ length: 0x1_f0 }, (_, at) => String.fromCodePoint(0xe_00_00 + at)));

function formsBy(plainOf: (character: string) => string): ReadonlyMap<string, readonly string[]> {
  const foreign = all.filter((character) => character > '\u007f');
  return Map.groupBy(
    foreign.filter((character) => /^[!-~]$/u.test(plainOf(character))),
    plainOf,
  );
}

const letters = /\p{L}/u;
/** Alphabets whose whole words a reader can take for Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const compatible = formsBy((character) => character.normalize('NFKC'));
const homoglyphs = formsBy((character) =>
  alike.test(character) && letters.test(character) ? unhomoglyph(character) : '',
);
const accented = formsBy((character) =>
  letters.test(character) ? character.normalize('NFD').replaceAll(/\p{M}/gu, '') : '',
);
const zeros = all.filter(
  (character) => /\p{Nd}/u.test(character) && !/\p{Nd}/u.test(shifted(character, -1)),
);
const hidden = all.filter(
  (character) =>
    /[\p{Default_Ignorable_Code_Point}\u200b-\u200f\u202a-\u202e\ufeff]/u.test(character) &&
    // Models read tags as the characters whose twins they are.
    !/[\u{e0020}-\u{e007e}]/u.test(character),
);
const marks = all.filter(
  (character) => /\p{M}/u.test(character) && /\p{Script=Inherited}/u.test(character),
);
const spaces = all.filter((character) => /\p{Zs}/u.test(character));
const dashes = all.filter((character) => /\p{Pd}/u.test(character) && character > '\u007f');

function shifted(character: string, by: number): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 0) + by);
}

export const disguises: readonly Disguise[] = [
  { name: 'compatible forms', forms: (character) => compatible.get(character) ?? [] },
  {
    name: 'digits of other alphabets',
    forms: (character) =>
      /\d/u.test(character) ? zeros.map((zero) => shifted(zero, Number(character))) : [],
  },
  { name: 'letters that look alike', forms: (character) => homoglyphs.get(character) ?? [] },
  { name: 'hidden characters behind', forms: (character) => hidden.map((one) => character + one) },
  {
    name: 'marks',
    forms: (character) => (/\w/u.test(character) ? marks.map((one) => character + one) : []),
  },
  { name: 'other spaces', forms: (character) => (character === ' ' ? spaces : []) },
  { name: 'other dashes', forms: (character) => (character === '-' ? dashes : []) },
];

/** A way to write letters that leaves them readable, though names are known by it. */
export const accents: Disguise = {
  name: 'accents',
  forms: (character) => accented.get(character) ?? [],
};

/** Writes some of the characters of a text in another form. */
export function disguised(text: string, disguise: Disguise): fc.Arbitrary<string> {
  const characters = Array.from(text, (character) => {
    const forms = disguise.forms(character);
    if (forms.length === 0) return fc.constant(character);
    return fc.oneof(fc.constant(character), fc.constantFrom(...forms));
  });
  return fc.tuple(...characters).map((written) => written.join(''));
}
