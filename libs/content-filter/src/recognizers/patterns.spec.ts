import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { checkSync } from 'recheck';
import { describe, expect, it, vi } from 'vitest';
import { builtinSlugs } from '../filter.ts';
import { attackFamilies, attackVariants, secretExamples } from '../testing.ts';
import { recognizerOf } from './index.ts';
import { secretRules } from './secrets/secrets.ts';
import { numberAtEnd, writtenEmailAtEnd } from './unfinished.ts';

const texts = [
  ...secretExamples.flatMap(({ hits, misses }) => [...hits.map(({ text }) => text), ...misses]),
  ...attackFamilies.flatMap((family) => attackVariants(family, 100, 1)),
  'My SSN is 123-45-6789, ssn 123456789, order 123-45-6789, card 4111 1111 1111 1111',
  'bob@example.com or (202) 555-0143, tel 020 7946 0958 ext. 5, +44 20 7946 0123, mob 123-4567',
  'bob (at) example (dot) com, git@host.org:path, https://a:b@host.org, 2001:db8::1, v1.2.3.4',
  "Dear Ada Lovelace, Autumn Smith's; Nowak, Anna, Dr. K. Xyzzy, Xy, my name is ada o'neil and",
  '12 Oak Street, Springfield, CA 90210, Cad. 1-23, P.O. Box 123, Am Markt 5, 5551234567',
];
const folder = new URL('..', import.meta.url).pathname;
/** Says whether our code runs the pattern: libraries have patterns of their own. */
function isOurs(stack = ''): boolean {
  const frames = stack.split('\n').filter((one) => /\.[cm]?[jt]s:\d/u.test(one));
  return frames.find((one) => !one.includes('patterns.spec.ts'))?.includes(folder) ?? false;
}

/** Returns each pattern of ours that runs on the texts, also literals inside of functions. */
async function patternsThatRun(): Promise<readonly RegExp[]> {
  const recognizers = await Promise.all(builtinSlugs.map((slug) => recognizerOf(slug, [])));
  const patterns = [...secretRules.map(({ pattern }) => pattern), numberAtEnd, writtenEmailAtEnd];
  const seen = new Set(patterns.map(String));
  const original = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec') ?? {};
  const exec = original.value as RegExp['exec'];
  const value = function (this: RegExp, text: string) {
    const name = `/${this.source}/${this.flags}`;
    if (seen.size < seen.add(name).size && isOurs(new Error('here').stack)) patterns.push(this);
    return exec.call(this, text);
  };
  Reflect.defineProperty(RegExp.prototype, 'exec', { ...original, value });
  for (const one of recognizers) for (const text of texts) one.find(text);
  Reflect.defineProperty(RegExp.prototype, 'exec', original);
  return patterns;
}

/** The element without bounds and assertions. Twice a few ways to match are few: `{0,2}` stays. */
function lifted(element: AST.Element): string {
  if (element.type === 'Assertion') return /^[$^]$/u.test(element.raw) ? element.raw : '';
  if (element.type === 'Backreference') return '';
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return `(?:${element.alternatives.map(({ elements }) => allLifted(elements)).join('|')})`;
  if (element.type !== 'Quantifier') return element.raw;
  const { min, max } = element;
  const inner = lifted(element.element);
  if (inner === '' || (min === max && max !== 2)) return inner;
  return `(?:${inner})${max <= 2 ? `{${min},${max}}` : min === 0 ? '*' : '+'}`;
}
const allLifted = (elements: readonly AST.Element[]) => elements.map(lifted).join('');
/** The parts behind which a match may fail. A loop at the end takes what it can: rounds fail. */
function partsOf([first, ...others]: readonly AST.Element[]): readonly string[] {
  if (first === undefined) return [];
  // A beginning without repetitions has one way to match.
  if (!/[?*+{]/u.test(lifted(first).replaceAll('(?:', ''))) return partsOf(others);
  const elements = [first, ...others];
  const last = elements.at(-1);
  const isLoop = last?.type === 'Quantifier' && last.min < 3;
  const group = isLoop ? last.element : last;
  if (group?.type !== 'Group' && group?.type !== 'CapturingGroup') return [allLifted(elements)];
  const rounds = group.alternatives.flatMap((one) => partsOf(one.elements));
  const before = elements.slice(0, -1);
  return [...(isLoop ? partsOf(before) : [allLifted(before)]), ...rounds];
}

const parsed = ({ source }: RegExp) =>
  new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });

/** Lookaheads and lookbehinds are patterns of their own. */
function allPartsOf(pattern: RegExp): readonly string[] {
  const parts: string[] = [];
  const add = ({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }) =>
    parts.push(...alternatives.flatMap(({ elements }) => partsOf(elements)));
  visitRegExpAST(parsed(pattern), {
    onPatternEnter: add,
    onAssertionEnter: (node) => void ('alternatives' in node && add(node)),
  });
  return parts.filter((part) => /[*+]/u.test(part));
}

/** Returns the most rounds of each loop, of groups alone or of anything. */
function roundsOf(pattern: RegExp, kind = ''): readonly number[] {
  const rounds: number[] = [];
  visitRegExpAST(parsed(pattern), {
    onQuantifierEnter: ({ max, element }) => void (element.type.endsWith(kind) && rounds.push(max)),
  });
  return rounds;
}

/** Counts of characters read bound the search, no times: each run gives the same verdicts. */
const untimed = { timeout: null, seedingTimeout: null, incubationTimeout: null };
const sizes = { maxInitialGenerationSize: 100, maxIteration: 1, mutationSize: 4, maxDegree: 2 };
const lengths = { maxSimpleRepeatCount: 1, maxGeneStringSize: 200, maxAttackStringSize: 4_000 };
const limits = { incubationLimit: 20_000, attackLimit: 1_000_000, attackTimeout: null };
const search = { ...untimed, ...sizes, ...lengths, ...limits, checker: 'fuzz' } as const;

/**
 * The hashes of parts that were searched before, with nothing found: searching them all takes the processor for most of
 * a minute. `PATTERNS=all`, in the nightly job, searches all again; `PATTERNS=record` also writes the file.
 */
const searchedFile = new URL('searched-parts.json', import.meta.url);
const wanted = process.env['PATTERNS'];
const searchedBefore = new Set<string>(
  wanted === undefined ? (JSON.parse(readFileSync(searchedFile, 'utf8')) as string[]) : [],
);
const hashOf = (...texts: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([...texts, search]))
    .digest('hex')
    .slice(0, 16);

function record(patterns: readonly RegExp[]): void {
  const hashes = ['iu', 'u'].flatMap((flags) =>
    [...sourcesOf(patterns, flags)].map((part) => hashOf(part, flags)),
  );
  writeFileSync(searchedFile, `${JSON.stringify(hashes.toSorted(), undefined, 2)}\n`);
}

const sourcesOf = (patterns: readonly RegExp[], flags: string) =>
  new Set(patterns.filter((one) => one.ignoreCase === (flags === 'iu')).flatMap(allPartsOf));

/** No text has the character behind a part: all ways to match it are tried. */
function steepOf(patterns: readonly RegExp[]): readonly string[] {
  return ['iu', 'u'].flatMap((flags) =>
    [...sourcesOf(patterns, flags)].filter((part) => {
      if (searchedBefore.has(hashOf(part, flags))) return false;
      const verdict = checkSync(String.raw`(?:${part})\u{10FFFF}`, flags, search);
      return verdict.status === 'unknown' || verdict.complexity.type === 'exponential';
    }),
  );
}

function isLinear(pattern: RegExp): boolean {
  const plain = parsed(pattern).alternatives.map(({ elements }) => allLifted(elements));
  // The exact checker knows no backreferences and lookarounds: it reads a pattern without them.
  const source = /\\[1-9]|\(\?<?[=!]/u.test(pattern.source) ? plain.join('|') : pattern.source;
  const flags = pattern.flags.replace('d', '');
  return checkSync(source, flags, { ...untimed, checker: 'automaton' }).status === 'safe';
}

/** Names have six words at most, with two ways for the full stop of an initial. */
const isShort = ({ source }: RegExp) =>
  source.startsWith(String.raw`(?<![\p{L}\p{N}_@/.#$\\-])\p{Lu}`);

vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure');
const patterns = await patternsThatRun();

describe('built-in patterns', () => {
  it('run here', () => expect(patterns.length).toBeGreaterThanOrEqual(375));

  it('have bounds or are linear', () =>
    // The one that is not runs on 160 characters.
    expect(patterns.filter((one) => roundsOf(one).includes(Infinity) && !isLinear(one))).toEqual([
      numberAtEnd,
    ]));

  it('have one way to match, or few rounds', () => {
    const long = patterns.filter((one) => !isShort(one));
    expect(steepOf(long)).toEqual([]);
    if (wanted === 'record') record(long);
    const rounds = patterns.filter(isShort).flatMap((one) => roundsOf(one, 'Group'));
    expect(Math.max(...rounds)).toBeLessThan(6);
  });

  it.each([
    '(?<![a-z])sk-(?:[a-z0-9]{1,40}-?){1,40}(?![A-Za-z0-9])',
    String.raw`[A-Z][\p{L}.-]{0,30}(?:[ -][A-Z][\p{L}.-]{0,30}){0,3},[ ]\d{5}`,
    String.raw`(?:\s{1,8}[a-z0-9]{1,16}|\s{1,8}the){0,12}?\s{1,8}dan\b`,
  ])('are unlike %s', (source) => expect(steepOf([new RegExp(source, 'u')])).not.toEqual([]));
});
