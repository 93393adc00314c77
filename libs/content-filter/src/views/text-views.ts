import {
  astralFold,
  foldOf,
  longFold,
  removed,
  several,
  tagFold,
  unchanged,
} from './character-folds.ts';
import { foldDigits, foldedInContext, foldMixedWords, type Preference } from './context-folds.ts';
import { kindOf, kinds, latinBehind } from './look-alikes.ts';
import { textOfUnits, type TextView, ViewBuilder } from './text-view.ts';

/** A view of a text, and what it leaves of it. */
export interface ReadView extends TextView {
  /** Letters are in the alphabet of their word, with their accents. */
  readonly keepsLetters: boolean;
}

export interface ViewOptions {
  /** More text may follow: what depends on it counts as if it did. */
  readonly isGrowing?: boolean;
}

/** ASCII without control characters has no view. */
const unusual = /[^\t\n\v\f\r -~]/u;
const hidden = /\p{Default_Ignorable_Code_Point}/u;
const tags = /[\u{e0020}-\u{e007e}]/u;
/** More marks on one character are no letter, and would take long to sort. */
const marksMax = 8;

/**
 * Returns the text as a reader and a model understand it, where that is not as it is written:
 * - if a word could be of two alphabets, the next one with the other of them;
 * - without hidden characters, in plain forms of letters, digits, spaces and dashes, and each word in one alphabet;
 * - without accents, in the Latin letters that those of other alphabets look like.
 * The last one is the plainest.
 */
export function viewsOf(
  text: string,
  { isGrowing = false }: ViewOptions = {},
): readonly ReadView[] {
  if (!unusual.test(text)) return [];
  const plain = plainView(text, { isGrowing, readsTags: false, preference: 'latin' });
  const foreign = plain.isAmbiguous
    ? plainView(text, { isGrowing, readsTags: false, preference: 'foreign' }).view
    : null;
  const { view: read } = tags.test(text)
    ? plainView(text, { isGrowing, readsTags: true, preference: 'latin' })
    : plain;
  const latin = latinView(text, read) ?? (read === plain.view ? null : read);
  return [
    ...[foreign, plain.view].flatMap((view) => (view ? [{ ...view, keepsLetters: true }] : [])),
    ...(latin ? [{ ...latin, keepsLetters: false }] : []),
  ];
}

/** Returns how often a text is read, as a rule: as it is written, and in a view. */
export function readingsOf(text: string): number {
  return unusual.test(text) ? 2 : 1;
}

/** Returns a text without hidden characters and accents, in Latin letters where it has letters that look like them. */
export function latinText(text: string): TextView {
  return viewsOf(text).at(-1) ?? { text, origins: null };
}

interface Reading {
  readonly isGrowing: boolean;
  readonly readsTags: boolean;
  readonly preference: Preference;
}

/** `view` is null if it is the text itself. */
function plainView(
  text: string,
  { isGrowing, readsTags, preference }: Reading,
): { readonly view: TextView | null; readonly isAmbiguous: boolean } {
  const characters = readCharacters(text, readsTags);
  foldDigits(characters, isGrowing);
  const folded = foldedInContext(characters, isGrowing);
  const isAmbiguous = foldMixedWords(folded, preference);
  return { view: folded.isChanged ? folded.view(text.length) : null, isAmbiguous };
}

function readCharacters(text: string, readsTags: boolean): ViewBuilder {
  const read = new ViewBuilder(text.length);
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (isPlain(unit) && next < 0x3_00) {
      read.add(unit, at);
      at += 1;
    } else at = readCluster(text, at, { read, readsTags });
  }
  return read;
}

function isPlain(unit: number): boolean {
  return (unit >= 0x20 && unit < 0x7f) || (unit >= 0x09 && unit <= 0x0d);
}

interface Target {
  readonly read: ViewBuilder;
  readonly readsTags: boolean;
}

/** Reads a character with the marks on it. Returns the place behind them. */
function readCluster(text: string, at: number, { read, readsTags }: Target): number {
  const codePoint = text.codePointAt(at) ?? 0;
  const end = at + (codePoint > 0xff_ff ? 2 : 1);
  const next = end < text.length ? text.charCodeAt(end) : 0;
  const isMarked = next >= 0x3_00 && (kindOf(next) & kinds.joining) > 0;
  const base = readsTags && tagFold(codePoint) !== '' ? tagFold(codePoint) : foldedText(codePoint);
  if (base !== null) read.isChanged = true;
  const written = base ?? text.slice(at, end);
  if (!isMarked) {
    read.addAll(written, at);
    return end;
  }
  return readMarked(text, at, { read, base: written, end });
}

interface Marked {
  readonly read: ViewBuilder;
  readonly base: string;
  /** The end of the base. */
  readonly end: number;
}

/** Composes a base with its marks. Those that make no letter with it are not seen. */
function readMarked(text: string, at: number, { read, base, end }: Marked): number {
  let marks = '';
  let behind = end;
  for (; behind < text.length; behind += 1) {
    const unit = text.charCodeAt(behind);
    if (unit < 0x3_00 || (kindOf(unit) & kinds.joining) === 0) break;
    if (marks.length < marksMax && !hidden.test(text.charAt(behind))) marks += text.charAt(behind);
  }
  const composed = base === '' ? '' : (base + marks).normalize('NFKC');
  const seen = composed.replaceAll(/\p{Script=Inherited}/gu, '');
  if (seen !== text.slice(at, behind)) read.isChanged = true;
  read.addAll(seen, at);
  return behind;
}

/** null: the character stays. */
function foldedText(codePoint: number): string | null {
  if (codePoint > 0xff_ff) return astralFold(codePoint);
  if (isPlain(codePoint)) return null;
  const fold = foldOf(codePoint);
  if (fold === unchanged) return null;
  if (fold === removed) return '';
  return fold === several ? longFold(codePoint) : String.fromCharCode(fold);
}

function latinView(text: string, plain: TextView | null): TextView | null {
  const source = plain?.text ?? text;
  let units: Uint16Array | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source.charCodeAt(at);
    if (unit < 0x80) continue;
    const folded = latinBehind(unit, at > 0 ? (units?.[at - 1] ?? source.charCodeAt(at - 1)) : 0);
    if (folded === unit) continue;
    units ??= Uint16Array.from({ length: source.length }, (_, place) => source.charCodeAt(place));
    units[at] = folded;
  }
  if (units) return { text: textOfUnits(units), origins: plain?.origins ?? null };
  return null;
}
