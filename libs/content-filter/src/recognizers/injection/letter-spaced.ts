import type { Span } from '../../span.ts';
import type { TextView } from '../../views/text-view.ts';

const lettersMin = 6;
const gapMax = 6;

const vocabulary =
  'ignoring ignore disregard forget override overriding bypass reveal discard disclose repeat print ' +
  'show display output tell pretend act enter enable activate roleplay respond follow obey without ' +
  'previous preceding prior above earlier initial original hidden secret system developer safety ' +
  'instructions instruction guidelines guideline restrictions directives directive prompts prompt ' +
  'rules rule policies policy filters filter limits limitations everything anything verbatim ' +
  'unrestricted unfiltered uncensored jailbreak programming messages message mode your you the ' +
  'are all any and now not been have were with that this from what told given before me my of to ' +
  'commands command constraints constraint please kindly as an ai is in on do no dan text words word';
const knownWords = new RegExp(
  vocabulary
    .split(' ')
    .toSorted((one, other) => other.length - one.length)
    .join('|'),
  'gu',
);
const keyWords = new RegExp(
  (
    'ignor disregard forget overrid bypass reveal disclose repeat print ' +
    'display output previous preceding prior above earlier initial original hidden ' +
    'secret system safety instruction guideline restriction directive prompt rules ' +
    'filter everything pretend enable unrestricted jailbreak command constraint'
  ).replaceAll(' ', '|'),
  'u',
);
const actions = /ignor|disregard|forget|overrid|bypass|reveal|disclose/u;

const letterKind = 1;
const separatorKind = 2;
const wordKind = 3;
const kindOf = new Uint8Array(0x80);
for (let code = 0; code < 0x80; code += 1) {
  const character = String.fromCharCode(code);
  if (/[a-z]/u.test(character)) kindOf[code] = letterKind;
  else if (/[0-9]/u.test(character)) kindOf[code] = wordKind;
  else if (/[\s.\-_*/|,+~:'`]/u.test(character)) kindOf[code] = separatorKind;
}

function kindAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  return code < 0x80 ? (kindOf[code] ?? 0) : 0;
}

/** Runs of single letters, in the order of the text. */
function* letterRuns(text: string): Generator<Span> {
  let start = -1;
  let [letters, lastLetter] = [0, 0];
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind === separatorKind && at - lastLetter <= gapMax) {
      at += 1;
      continue;
    }
    let end = at + 1;
    const isWordLike = kind === letterKind || kind === wordKind;
    if (isWordLike)
      for (let next = kindAt(text, end); next === letterKind || next === wordKind;) {
        end += 1;
        next = kindAt(text, end);
      }
    if (kind === letterKind && end === at + 1) {
      if (start < 0) [start, letters] = [at, 0];
      letters += 1;
      lastLetter = at;
    } else {
      if (letters >= lettersMin) yield { start, end: lastLetter + 1 };
      [start, letters] = [-1, 0];
    }
    at = end;
  }
  if (letters >= lettersMin) yield { start, end: lastLetter + 1 };
}

/** A text whose letter-spaced runs are put together, and where these stand. */
export interface Collapsed extends TextView {
  readonly origins: Int32Array;
  /** In the collapsed text. */
  readonly places: readonly Span[];
  /** Runs, in the collapsed text, that spell out an attack by themselves. */
  readonly orders: readonly Span[];
}

/** Returns null if no letter-spaced run of the folded, lower-case text has a key word. */
export function collapsed(text: string): Collapsed | null {
  const pieces: string[] = [];
  const places: Span[] = [];
  const orders: Span[] = [];
  let origins: Int32Array | undefined;
  let [copied, length] = [0, 0];
  const copyTo = (end: number): void => {
    pieces.push(text.slice(copied, end));
    for (let at = copied; at < end; at += 1) {
      if (origins) origins[length] = at;
      length += 1;
    }
    copied = end;
  };
  for (const run of letterRuns(text)) {
    const written = text.slice(run.start, run.end);
    const letters = written.replaceAll(/[^a-z]/gu, '');
    if (!keyWords.test(letters)) continue;
    // A word of n letters came from 2n - 1 characters or more: the new text is not longer.
    origins ??= new Int32Array(text.length);
    copyTo(run.start);
    const start = length;
    const spaced = letters.replaceAll(knownWords, ' $& ').replaceAll(/ {2,}/gu, ' ').trim();
    let place = run.start;
    for (const letter of spaced) {
      if (letter !== ' ') place = text.indexOf(letter, place);
      origins[length] = place;
      length += 1;
      if (letter !== ' ') place += 1;
    }
    pieces.push(spaced);
    places.push({ start, end: length });
    if (actions.test(letters) && spaced.includes(' ')) orders.push({ start, end: length });
    copied = run.end;
  }
  if (!origins) return null;
  copyTo(text.length);
  return { text: pieces.join(''), origins, places, orders };
}
