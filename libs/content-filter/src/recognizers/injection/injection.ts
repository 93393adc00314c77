import type { Finding, Span } from '../../span.ts';
import { originalSpan, type TextView } from '../../views/text-view.ts';
import { latinText } from '../../views/text-views.ts';
import { decodedTexts } from './decoded-text.ts';
import { foldedText } from './folded-text.ts';
import type { InjectionRule } from './injection-patterns.ts';
import { injectionRules } from './injection-patterns.ts';
import { collapsed } from './letter-spaced.ts';
import { unscrambled } from './scrambled-words.ts';

const encodedScore = 0.95;
const hiddenScore = 0.85;

/** A match in folded, lower-case text. */
interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly rule: string;
  /** The original text of the match must have this, too. */
  readonly confirm: RegExp | undefined;
}

interface CompiledRule extends Omit<InjectionRule, 'first' | 'rest'> {
  readonly rest: RegExp;
}

const rulesOf = new Map<string, CompiledRule[]>();
for (const { first, rest, ...rule } of injectionRules) {
  const compiled = { ...rule, rest: new RegExp(rest, 'uy') };
  for (const word of new Set(first)) {
    const others = rulesOf.get(word);
    if (others) others.push(compiled);
    else rulesOf.set(word, [compiled]);
  }
}

const firstWords = [...rulesOf.keys()].toSorted((one, other) => other.length - one.length);
const isWord = /^[a-z]/u;
const escaped = (literal: string): string => literal.replaceAll(/[[\](){}|*]/gu, String.raw`\$&`);

/** The one pattern that ordinary text meets. */
const gate = new RegExp(
  String.raw`\b(?:${firstWords.filter((word) => isWord.test(word)).join('|')})(?![a-z0-9])` +
    `|${firstWords
      .filter((word) => !isWord.test(word))
      .map(escaped)
      .join('|')}`,
  'gu',
);

/** Returns the attacks that a folded, lower-case text spells out. */
function findPatterns(text: string): readonly PatternMatch[] {
  const found: PatternMatch[] = [];
  gate.lastIndex = 0;
  for (let hit = gate.exec(text); hit; hit = gate.exec(text)) {
    const [first] = hit;
    for (const { rule, score, rest, confirm } of rulesOf.get(first) ?? []) {
      rest.lastIndex = hit.index + first.length;
      if (rest.test(text))
        found.push({ start: hit.index, end: rest.lastIndex, score, rule, confirm });
    }
  }
  return found;
}

/** Returns allowed phrases as they are in folded text, the longest first. */
export function foldedPhrases(allowlist: readonly string[]): readonly string[] {
  return allowlist
    .map((phrase) => foldedText(phrase).text)
    .filter((phrase) => phrase !== '')
    .toSorted((one, other) => other.length - one.length);
}

/** Returns the attacks on a prompt. The allowed phrases, which are folded, are hidden from the plain patterns. */
export function findInjections(text: string, allowlist: readonly string[]): readonly Finding[] {
  const folded = foldedText(text);
  const plain = patternsOf(text, folded);
  // Ordinary text pays for no phrase.
  const findings =
    plain.length > 0 && allowlist.length > 0
      ? patternsOf(text, { ...folded, text: masked(folded.text, allowlist) })
      : plain;
  addScrambled(text, folded, findings);
  addLetterSpaced(text, folded, findings);
  const latin = latinText(text);
  for (const { encoding, text: decoded, ...place } of decodedTexts(latin.text))
    if (isAttack(decoded)) {
      const span = originalSpan(text, latin, place);
      findings.push({ ...span, score: encodedScore, rule: `encoded_${encoding}` });
    }
  return findings;
}

function patternsOf(original: string, folded: TextView): Finding[] {
  const findings: Finding[] = [];
  for (const { score, rule, confirm, ...place } of findPatterns(folded.text)) {
    const span = originalSpan(original, folded, place);
    if (confirm?.test(original.slice(span.start, span.end)) === false) continue;
    findings.push({ ...span, score, rule });
  }
  return findings;
}

function isAttack(text: string): boolean {
  const folded = foldedText(text);
  if (patternsOf(text, folded).length > 0) return true;
  const hidden: Finding[] = [];
  addScrambled(text, folded, hidden);
  addLetterSpaced(text, folded, hidden);
  return hidden.length > 0;
}

/** Blanks of the same length keep every place. */
function masked(text: string, allowlist: readonly string[]): string {
  let left = text;
  for (const phrase of allowlist) left = left.replaceAll(phrase, ' '.repeat(phrase.length));
  return left;
}

function addScrambled(original: string, folded: TextView, findings: Finding[]): void {
  const put = unscrambled(folded.text);
  if (!put) return;
  const matches = touching(findPatterns(put.text), put.places);
  for (const place of [...put.pairs, ...matches]) {
    const span = originalSpan(original, folded, place);
    findings.push({ ...span, score: hiddenScore, rule: 'scrambled_letters' });
  }
}

function addLetterSpaced(original: string, folded: TextView, findings: Finding[]): void {
  const joined = collapsed(folded.text);
  if (!joined) return;
  for (const place of [...joined.orders, ...touching(findPatterns(joined.text), joined.places)]) {
    const start = joined.origins[place.start] ?? 0;
    const end = (joined.origins[place.end - 1] ?? 0) + 1;
    const span = originalSpan(original, folded, { start, end });
    findings.push({ ...span, score: hiddenScore, rule: 'letter_spaced' });
  }
}

/** Returns the matches that share a character with one of the places. Both are in order. */
function touching<Match extends Span>(
  matches: readonly Match[],
  places: readonly Span[],
): readonly Match[] {
  let at = 0;
  return matches.filter(({ start, end }) => {
    while ((places[at]?.end ?? Infinity) <= start) at += 1;
    return (places[at]?.start ?? Infinity) < end;
  });
}
