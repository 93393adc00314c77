import { RE2JS } from 're2js';
import type { BuiltinSlug, FilterSet } from '../filter.ts';
import { numberAtEnd, writtenEmailAtEnd } from '../recognizers/unfinished.ts';
import { viewsOf } from '../views/text-views.ts';
import { prefixPattern } from './prefix-pattern.ts';

/** Finds how much of a growing text can still become a match of a set of filters. */
export interface Hold {
  /**
   * Returns the place from which the text may still change: no match of the text with its continuation begins
   * between `released` and that place and ends behind it.
   */
  readonly from: (text: string, released: number) => number;
}

/** The filters of a set by the way in which they can follow a stream. */
export interface StreamFilters {
  readonly hold: Hold;
  /** Filters that see no match in a part of a text: their text has to be complete. Names, as `[PERSON_NAME]`. */
  readonly buffered: readonly string[];
}

type HoldRule = Hold['from'];

const numberCharacters = 160;
const writtenCharacters = 400;
const tokenCharacters = 24_000;
const keyCharacters = 24_000;
/** More takes too long to compile. */
const prefixCharactersMax = 65_536;

const holdRules: Readonly<Partial<Record<BuiltinSlug, HoldRule>>> = {
  email: (text) => Math.min(token(text), behind(text, writtenEmailAtEnd, writtenCharacters)),
  phone: (text) => behind(text, numberAtEnd, numberCharacters),
  ssn: (text) => behind(text, numberAtEnd, numberCharacters),
  'credit-card': (text) => behind(text, numberAtEnd, numberCharacters),
  'ip-address': token,
  secrets: (text) => Math.min(token(text), keyBlock(text)),
};

/** The way in which the custom filters of a set can follow a stream. */
export interface StreamPlan {
  /** A pattern of the beginnings of all matches; undefined: there is none. */
  readonly prefix: PrefixPattern | undefined;
  readonly buffered: readonly string[];
}

export interface PrefixPattern {
  readonly source: string;
  /** The time of a search grows with them and with the text. */
  readonly instructions: number;
}

/** Compiles how a set of filters follows a stream. Large patterns take seconds. */
export function compileStreamFilters(set: FilterSet): StreamFilters {
  const { prefix, buffered } = planStream(set);
  const builtin = builtinStream(set);
  const custom = prefix && prefixHold(prefix.source);
  return {
    buffered: [...builtin.buffered, ...buffered],
    hold: custom ? joinedHold(builtin.hold, custom) : builtin.hold,
  };
}

/** Returns how the built-in filters of a set follow a stream. Filters of injection look at inputs alone. */
export function builtinStream({ builtin }: FilterSet): StreamFilters {
  const rules: HoldRule[] = [];
  const buffered: string[] = [];
  for (const { slug } of builtin) {
    const rule = holdRules[slug];
    if (rule) rules.push(rule);
    else buffered.push(slug);
  }
  const distinct = [...new Set(rules)];
  const from: HoldRule = (text, released) =>
    distinct.reduce((least, rule) => Math.min(least, rule(text, released)), text.length);
  return { hold: { from: inAllViews(from) }, buffered };
}

/** Applies a rule to the pending text as it is written, and as a reader understands it. */
function inAllViews(rule: HoldRule): HoldRule {
  return (growing, released) => {
    // Half a character says nothing yet: the other half may make it one that nobody sees.
    const text = growing.replace(/[\ud800-\udbff]$/, '');
    const written = rule(text, released);
    const pending = text.slice(released);
    return viewsOf(pending, { isGrowing: true }).reduce((least, view) => {
      const place = view.text === '' ? 0 : rule(view.text, 0);
      if (place >= view.text.length) return least;
      return Math.min(least, released + (view.origins ? (view.origins[place] ?? 0) : place));
    }, written);
  };
}

/** Finds how the custom filters of a set can follow a stream. Large patterns take seconds. */
export function planStream({ custom }: FilterSet): StreamPlan {
  const prefixes: string[] = [];
  const buffered: string[] = [];
  let characters = 0;
  for (const { pattern, label } of custom) {
    const prefix = prefixPattern(pattern);
    characters += prefix?.length ?? 0;
    if (prefix === undefined || characters > prefixCharactersMax) buffered.push(label ?? 'custom');
    else prefixes.push(prefix);
  }
  if (prefixes.length === 0) return { prefix: undefined, buffered };
  const source = `(?:${prefixes.join('|')})`;
  const instructions = compiled(source)?.programSize();
  if (instructions === undefined) return { prefix: undefined, buffered: [...buffered, 'custom'] };
  return { prefix: { source, instructions }, buffered };
}

/** One pass finds the first beginning of all patterns. undefined: the engine does not take them. */
export function prefixHold(source: string): Hold | undefined {
  const pattern = compiled(source);
  if (!pattern) return undefined;
  // A word of another alphabet is read only when its last letter is there.
  const isOfWords = /[^ -~]|\\[upx]/u.test(source);
  const from: HoldRule = (text, released) => {
    const matcher = pattern.matcher(text.slice(released));
    const place = matcher.find() ? released + matcher.start() : text.length;
    return isOfWords ? Math.min(place, token(text)) : place;
  };
  return { from: inAllViews(from) };
}

function joinedHold(one: Hold, other: Hold): Hold {
  return {
    from: (text, released) => Math.min(one.from(text, released), other.from(text, released)),
  };
}

/** Returns the beginning of the last word. */
function token(text: string): number {
  const least = Math.max(0, text.length - tokenCharacters);
  let place = text.length;
  while (place > least && !isSpace(text.charCodeAt(place - 1))) place--;
  return place;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

/** Returns where a pattern at the end of the text begins. */
function behind(text: string, pattern: RegExp, charactersMax: number): number {
  const from = Math.max(0, text.length - charactersMax);
  const found = text.slice(from).search(pattern);
  return found === -1 ? text.length : from + found;
}

const heads = ['-----BEGIN ', 'Private-Lines: '] as const;

/** Returns the beginning of a block with a private key that has not ended. */
function keyBlock(text: string): number {
  const least = Math.max(0, text.length - keyCharacters);
  let place = text.length;
  for (const head of heads) {
    const found = text.lastIndexOf(head);
    if (found < least) continue;
    const end = head === '-----BEGIN ' ? endOfKey(text, found) : endOfLines(text, found);
    if (end === undefined) place = Math.min(place, found);
  }
  return place;
}

function endOfKey(text: string, head: number): number | undefined {
  const end = text.indexOf('-----END ', head);
  const last = end === -1 ? -1 : text.indexOf('-----', end + 9);
  return last === -1 ? undefined : last;
}

function endOfLines(text: string, head: number): number | undefined {
  const end = text.slice(head + 20).search(/[^A-Za-z0-9+/=\s]/u);
  return end === -1 ? undefined : head + 20 + end;
}

function compiled(prefix: string): RE2JS | undefined {
  try {
    return RE2JS.compile(`${RE2JS.translateRegExp(prefix)}\\z`);
  } catch {
    // A pattern of beginnings is larger than the pattern: it may pass a bound of the engine.
    return undefined;
  }
}
