import unhomoglyph from 'unhomoglyph';

/** Letters in pairs with the Latin ones that they look like, where Unicode's table lacks them or says another one. */
const pairs =
  'аaеeоoсcрpхxуyіiјjѕsԁdһhӏlԛqԝwкkмmтtнhвbгrпnиuАaВbЕeКkМmНhОoРpСcТtУyХxІiЈjЅsαaοoρpνvιiκkτtυu' +
  'εeηnχxΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxıiɡgɑaɩiᴀaʙbᴄcᴅdᴇeɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsꜰfᴛtᴜuᴠvᴡwʏyᴢz' +
  'øoØođdĐdłlŁlħhĦhŧtŦt';
/** Latin letters in pairs with the letters of another alphabet that take their place in its words. */
const towardsCyrillic = 'aаeеoоcсpрxхyуkкmмtтnпuиrгiіAАBВEЕKКMМHНOОPРCСTТXХYУIІ';
const towardsGreek = 'aαoοpρvνiιkκtτuυeεnηxχAΑBΒEΕZΖHΗIΙKΚMΜNΝOΟPΡTΤYΥXΧ';

const alphabets =
  /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Lisu}\p{sc=Cans}]/u;
const latin = /\p{Script=Latin}/u;
const cyrillic = /\p{Script=Cyrillic}/u;
const greek = /\p{Script=Greek}/u;
const letterOrDigit = /[\p{L}\p{N}]/u;
/** Alphabets whose words stand without spaces beside others, or end in syllables of grammar. */
const unspaced =
  /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u30fc]/u;
const space = /\p{Zs}/u;
const dash = /[\p{Pd}\u2212\u2796\u02d7\u2043]/u;
/** Marks of all alphabets, later parts of a Hangul syllable, and marks of narrow Katakana. */
const joining = /^(?=\p{M})\p{Script=Inherited}|[\u1160-\u11ff\ud7b0-\ud7fb\uff9e\uff9f]/u;
const signForm = /[\ufe50-\ufe6b\uff01-\uff5e]/u;

/** The kinds of a character, as bits. */
export const kinds = {
  known: 1,
  letterOrDigit: 2,
  latin: 4,
  cyrillic: 8,
  greek: 16,
  /** A letter of another alphabet that has letters like Latin ones. */
  foreign: 32,
  unspaced: 64,
  space: 128,
  dash: 256,
  /** Belongs to the character before it. */
  joining: 512,
  /** Looks like a sign of ASCII. */
  sign: 1_024,
  /** A wide or small form of a sign of ASCII. */
  form: 2_048,
  small: 4_096,
} as const;

const units = 0x1_00_00;
const kindTable = new Uint16Array(units);
const latinTable = new Uint16Array(units);
const pairTable = tableOf(pairs);
const cyrillicTable = tableOf(towardsCyrillic);
const greekTable = tableOf(towardsGreek);
const signTable = new Uint16Array(units);
const digitTable = new Uint16Array(units);

function tableOf(list: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: list.length / 2 }, (_, at) => [
      list.charAt(2 * at),
      list.charAt(2 * at + 1),
    ]),
  );
}

/** Returns the kinds of a UTF-16 unit. Half a pair has none. */
export function kindOf(unit: number): number {
  const known = kindTable[unit] ?? 0;
  if (known > 0) return known;
  const kind = computedKind(unit, String.fromCharCode(unit));
  kindTable[unit] = kind;
  return kind;
}

function computedKind(unit: number, character: string): number {
  if (unit >= 0xd8_00 && unit < 0xe0_00) return kinds.known;
  const isLatin = latin.test(character);
  const flags: readonly (readonly [number, boolean])[] = [
    [kinds.letterOrDigit, letterOrDigit.test(character)],
    [kinds.latin, isLatin],
    [kinds.cyrillic, cyrillic.test(character)],
    [kinds.greek, greek.test(character)],
    [kinds.foreign, !isLatin && letterOrDigit.test(character) && alphabets.test(character)],
    [kinds.unspaced, unspaced.test(character)],
    [kinds.space, unit > 0x7f && space.test(character)],
    [kinds.dash, unit > 0x7f && dash.test(character)],
    [kinds.joining, joining.test(character)],
    [kinds.small, /\p{Ll}/u.test(character)],
    [kinds.sign, signOf(unit) > 0],
    [kinds.form, signOf(unit) > 0 && signForm.test(character)],
  ];
  return flags.reduce<number>((kind, [bit, isSet]) => (isSet ? kind | bit : kind), kinds.known);
}

/**
 * Returns the Latin letter of ASCII that a letter looks like, without its accent, or the letter itself. Behind a small
 * letter a capital I is a small l.
 */
export function latinBehind(unit: number, before: number): number {
  const found = latinOf(unit);
  return found === capitalI && unit !== found && isSmall(before) ? smallL : found;
}

const capitalI = 0x49;
const smallL = 0x6c;

function isSmall(unit: number): boolean {
  return (kindOf(unit) & kinds.small) > 0;
}

/** Returns the Latin letter that a letter looks like wherever it stands. */
export function latinOf(unit: number): number {
  if (unit < 0x80) return unit;
  const known = latinTable[unit] ?? 0;
  if (known > 0) return known;
  const found = computedLatin(String.fromCharCode(unit)) ?? unit;
  latinTable[unit] = found;
  return found;
}

function computedLatin(character: string): number | undefined {
  if (/[\ud800-\udfff]/u.test(character) || !alphabets.test(character)) return undefined;
  const isUpper = character !== character.toLowerCase();
  const cased = (letter: string) =>
    (isUpper ? letter.toUpperCase() : letter.toLowerCase()).charCodeAt(0);
  const paired = pairTable.get(character) ?? pairTable.get(character.toLowerCase());
  if (paired !== undefined) return paired === 'l' && isUpper ? capitalI : cased(paired);
  const bare = character.normalize('NFD').charAt(0);
  if (/^[A-Za-z0-9]$/u.test(bare)) return bare.charCodeAt(0);
  if (bare !== character) return computedLatin(bare);
  const alike = unhomoglyph(character);
  if (!/^[A-Za-z]$/u.test(alike)) return undefined;
  // A capital I is written with a small l there.
  return alike === 'l' && isUpper ? capitalI : alike.charCodeAt(0);
}

/** Returns the letter that takes the place of a Latin one in words of another alphabet, or 0. */
export function foreignOf(unit: number, alphabet: 'cyrillic' | 'greek'): number {
  const table = alphabet === 'cyrillic' ? cyrillicTable : greekTable;
  return table.get(String.fromCharCode(unit))?.charCodeAt(0) ?? 0;
}

/** Returns the sign of ASCII that a sign is or looks like, or 0: a stop, a colon, a bracket, a stroke. */
export function signOf(unit: number): number {
  if (unit < 0x80) return 0;
  const known = signTable[unit] ?? 0;
  if (known > 0) return known - 1;
  const character = String.fromCharCode(unit);
  const plain = character.normalize('NFKC');
  const found = /^[。｡․·•・]$/u.test(character)
    ? '.'
    : /^[!-/:-?[-`{-~]$/u.test(plain)
      ? plain
      : unhomoglyph(character);
  const isSign = signForm.test(character) ? /^[!-~]$/u.test(found) : /^[.:/_=+,()-]$/u.test(found);
  const code = isSign && !letterOrDigit.test(character) ? found.charCodeAt(0) : 0;
  signTable[unit] = code + 1;
  return code;
}

const hanDigits = new Map(
  ['〇零○', '一壹', '二贰貳', '三叁參', '四肆', '五伍', '六陆陸', '七柒', '八捌', '九玖'].flatMap(
    (digits, value) => Array.from(digits, (digit) => [digit.charCodeAt(0), 0x30 + value] as const),
  ),
);

/** Returns the digit that a character of another alphabet says or looks like in a number, or 0. */
export function digitIn(unit: number): number {
  if (unit < 0x80) return 0;
  const known = digitTable[unit] ?? 0;
  if (known > 0) return known - 1;
  const digit = hanDigits.get(unit) ?? digitLike(unit);
  digitTable[unit] = digit + 1;
  return digit;
}

function digitLike(unit: number): number {
  const character = String.fromCharCode(unit);
  if (!letterOrDigit.test(character)) return 0;
  const looks = [String.fromCharCode(latinOf(unit)), unhomoglyph(character)];
  const digit = looks.find((one) => /^\d$/u.test(one));
  if (digit !== undefined) return digit.charCodeAt(0);
  if (looks.some((one) => /^[oO]$/u.test(one))) return 0x30;
  return looks.some((one) => /^[lI]$/u.test(one)) ? 0x31 : 0;
}
