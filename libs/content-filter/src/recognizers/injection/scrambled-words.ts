import type { Span } from '../../span.ts';

/** A text in lower case and plain letters, with where its characters came from. */
export interface FoldedText {
  readonly text: string;
  /** The place of each character in the original; null: the same place. */
  readonly origins: Int32Array | null;
}

const removed = 0xff_ff;
const foldable = new RegExp(
  String.raw`[\xad\xc0-\u052f\u1d00-\u1d7f\u1e00-\u1eff\u200b-\u200f\u202a-\u202e\u2060-\u206f` +
    String.raw`\u2100-\u217f\u24b6-\u24e9\ua730\ua731\ufe00-\ufe0f\ufeff\uff01-\uff5e` +
    String.raw`\u{1d400}-\u{1d7ff}\u{e0000}-\u{e01ef}]`,
  'u',
);

/** Letters of other alphabets in pairs with the Latin ones that they look like. */
const lookAlikes =
  'аaеeоoсcрpхxуyіiјjѕsԁdһhӏlԛqԝwАaВbЕeКkМmНhОoРpСcТtУyХxІiЈjЅsαaοoρpνvιiκkτtυuεeηnχx' +
  'ΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxıiɡgɑaɩiᴀaʙbᴄcᴅdᴇeɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsꜰfᴛtᴜuᴠvᴡwʏyᴢz';

const folds = foldTable();
const mathStart = 0x1_d4_00;
const mathFolds = Uint16Array.from({ length: 0x4_00 }, (_, at) => plainLetter(mathStart + at));

function plainLetter(codePoint: number): number {
  const plain = String.fromCodePoint(codePoint)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();
  return /^[!-~]$/u.test(plain) ? plain.charCodeAt(0) : 0;
}

function foldTable(): Uint16Array {
  const table = new Uint16Array(0x1_00_00);
  for (const [from, to] of [
    [0xc0, 0x2_4f],
    [0x3_70, 0x5_2f],
    [0x1e_00, 0x1e_ff],
    [0x21_00, 0x21_7f],
    [0x24_b6, 0x24_e9],
    [0xff_01, 0xff_5e],
  ] as const)
    for (let code = from; code <= to; code += 1) table[code] = plainLetter(code);
  for (const [from, to] of [
    [0xad, 0xad],
    [0x3_00, 0x3_6f],
    [0x20_0b, 0x20_0f],
    [0x20_2a, 0x20_2e],
    [0x20_60, 0x20_6f],
    [0xfe_00, 0xfe_0f],
    [0xfe_ff, 0xfe_ff],
  ] as const)
    table.fill(removed, from, to + 1);
  for (let at = 0; at < lookAlikes.length; at += 2)
    table[lookAlikes.charCodeAt(at)] = lookAlikes.charCodeAt(at + 1);
  return table;
}

function astralFold(codePoint: number): number {
  if (codePoint >= mathStart && codePoint < mathStart + mathFolds.length)
    return mathFolds[codePoint - mathStart] ?? 0;
  // Tags are invisible twins of ASCII that models read.
  if (codePoint > 0xe_00_1f && codePoint < 0xe_00_7f) return codePoint - 0xe_00_00;
  return codePoint >= 0xe_01_00 && codePoint <= 0xe_01_ef ? removed : 0;
}

/** Returns the text without invisible characters, accents, look-alikes and capitals. */
export function foldedText(text: string): FoldedText {
  if (!foldable.test(text)) return { text: text.toLowerCase(), origins: null };
  const units = new Uint16Array(text.length);
  const origins = new Int32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    let fold = unit < 0x80 ? 0 : (folds[unit] ?? 0);
    const place = at;
    if (unit >= 0xd8_00 && unit < 0xdc_00) {
      fold = astralFold(text.codePointAt(at) ?? 0);
      if (fold > 0) at += 1;
    }
    if (fold === removed) continue;
    units[length] = fold === 0 ? unit : fold;
    origins[length] = place;
    length += 1;
  }
  const plain = Buffer.from(units.buffer, 0, length * 2)
    .toString('utf16le')
    .toLowerCase();
  return { text: plain, origins: length === text.length ? null : origins };
}

/** Returns where a part of a folded text stands in the original. */
export function originalSpan(original: string, folded: FoldedText, span: Span): Span {
  if (!folded.origins) return { start: span.start, end: span.end };
  const last = folded.origins[span.end - 1] ?? 0;
  const isPair = (original.codePointAt(last) ?? 0) > 0xff_ff;
  return { start: folded.origins[span.start] ?? 0, end: last + (isPair ? 2 : 1) };
}

type Role = 'action' | 'target' | 'time' | 'filler';

interface KnownWord {
  readonly word: string;
  readonly role: Role;
}

const vocabulary: Readonly<Record<Role, string>> = {
  action:
    'ignore disregard forget override bypass reveal discard disclose ignoring bypassing pretend',
  target:
    'instructions instruction system prompt prompts guidelines restrictions directives directive ' +
    'unrestricted developer jailbreak guardrails safeguards programming unfiltered uncensored',
  time: 'previous preceding',
  filler:
    'all any the your you are now act as with without rules rule above prior earlier initial secret ' +
    'hidden safety filters everything show print repeat tell me mode dan no do anything not follow ' +
    'original what is verbatim display output policy policies told before enter enable limits text',
};

/** Letters and the signs that stand for them; `i` and `l` are one letter, as both may be a 1. */
const letterOf = letterTable();
const weights = Int32Array.from({ length: 27 }, (_, at) => (at * 2_654_435_761) % 1_000_003);
const lengthsOf = new Uint32Array(27);
const wordsOf = new Map<number, KnownWord[]>();

for (const role of ['action', 'target', 'time', 'filler'] as const)
  for (const word of vocabulary[role].split(' ')) {
    const letters = letterCodes(word);
    const first = letters[0] ?? 0;
    if (role !== 'filler') lengthsOf[first] = (lengthsOf[first] ?? 0) | (1 << word.length);
    const sum = letters.reduce((total, letter) => total + (weights[letter] ?? 0), 0);
    wordsOf.set(sum, [...(wordsOf.get(sum) ?? []), { word, role }]);
  }

function letterTable(): Uint8Array {
  const table = new Uint8Array(0x80);
  for (let letter = 0; letter < 26; letter += 1) table[97 + letter] = letter + 1;
  const [i = 0, signs] = [table[105], '1i0o3e4a5s7t8b@a$s!i|il'] as const;
  for (let at = 0; at + 1 < signs.length; at += 2)
    table[signs.charCodeAt(at)] = table[signs.charCodeAt(at + 1)] ?? 0;
  table[108] = i;
  return table;
}

function letterCodes(word: string): readonly number[] {
  return Array.from(word, (letter) => letterOf[letter.charCodeAt(0)] ?? 0);
}

/** Returns the word that the written one stands for. Fillers are known in their order only. */
function knownWord(written: string, candidates: readonly KnownWord[]): KnownWord | undefined {
  const letters = letterCodes(written);
  return candidates.find(({ word, role }) => {
    const known = letterCodes(word);
    if (known.length !== letters.length) return false;
    if (known.every((letter, at) => letter === letters[at])) return true;
    if (role === 'filler' || known[0] !== letters[0] || known.at(-1) !== letters.at(-1))
      return false;
    const ordered = letters.toSorted((one, other) => one - other);
    return known
      .toSorted((one, other) => one - other)
      .every((letter, at) => letter === ordered[at]);
  });
}

interface Hit extends Span {
  readonly at: number;
  readonly role: Role;
  readonly isScrambled: boolean;
}

/** A text whose scrambled words are put right, and what that showed. */
export interface Unscrambled {
  /** As long as the scrambled text. */
  readonly text: string;
  /** The words that were put right, in the order of the text. */
  readonly places: readonly Span[];
  /** The places of scrambled key words that stand close to others. */
  readonly pairs: readonly Span[];
}

const wordsApartMax = 6;

/** Two scrambled words are no slip; one is an attack only if the pair asks for something. */
function isSuspicious(one: Hit, other: Hit): boolean {
  if (one.isScrambled && other.isScrambled) return one.role === 'action' || other.role === 'target';
  return one.isScrambled !== other.isScrambled && one.role === 'action' && other.role === 'target';
}

function isSign(text: string, at: number): boolean {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return next < 0x80 && next !== text.charCodeAt(at) && letterOf[next] !== 0;
}

interface Search {
  readonly text: string;
  readonly pieces: string[];
  readonly places: Span[];
  readonly pairs: Span[];
  /** The key words not far behind. */
  recent: Hit[];
  copied: number;
}

/** Notes a word that has the letters of a known one. */
function note(search: Search, word: Span, at: number, sum: number): void {
  const candidates = wordsOf.get(sum);
  if (!candidates) return;
  const written = search.text.slice(word.start, word.end);
  const known = knownWord(written, candidates);
  if (!known) return;
  const isScrambled = written !== known.word;
  if (isScrambled) {
    search.pieces.push(search.text.slice(search.copied, word.start), known.word);
    search.places.push(word);
    search.copied = word.end;
  }
  if (known.role === 'filler') return;
  const hit: Hit = { ...word, at, role: known.role, isScrambled };
  search.recent = search.recent.filter((other) => at - other.at <= wordsApartMax);
  const partner = search.recent.find((other) => isSuspicious(other, hit));
  if (partner) search.pairs.push({ start: partner.start, end: word.end });
  search.recent.push(hit);
}

/** Returns null if no key word of the folded, lower-case text is scrambled. */
export function unscrambled(text: string): Unscrambled | null {
  const search: Search = { text, pieces: [], places: [], pairs: [], recent: [], copied: 0 };
  let [count, start, sum, first] = [0, -1, 0, 0];
  let hasSign = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    let letter = code < 0x80 ? (letterOf[code] ?? 0) : 0;
    if ((code === 33 || code === 124) && !isSign(text, at)) letter = 0;
    if (letter > 0) {
      if (start < 0) {
        start = at;
        sum = 0;
        first = letter;
        hasSign = false;
      }
      sum = (sum + (weights[letter] ?? 0)) | 0;
      if (code < 97) hasSign = true;
    } else if (start >= 0) {
      count += 1;
      const length = at - start;
      // Fillers matter only in signs, and few words are as long as a key word of their letter.
      if (length < 32 && (hasSign || (((lengthsOf[first] ?? 0) >>> length) & 1) === 1))
        note(search, { start, end: at }, count, sum);
      start = -1;
    }
  }
  if (search.places.length === 0) return null;
  search.pieces.push(text.slice(search.copied));
  return { text: search.pieces.join(''), places: search.places, pairs: search.pairs };
}
