import {
  parsePattern,
  PatternError,
  type CharacterSet,
  type PatternNode,
} from './pattern-parser.ts';

/** Whether a text has a match for the pattern somewhere. */
export type Pattern = (text: string) => boolean;

const patternCharactersMax = 1_000;
const statesMax = 2_000;

/**
 * A regular expression that somebody else sent. It is run as an automaton, in time that grows with
 * pattern times text and never faster: no pattern can hold the node up. Throws PatternError.
 */
export function compilePattern(text: string): Pattern {
  if (text.length > patternCharactersMax) throw new PatternError('the pattern is too long');
  const states: State[] = [];
  const first = build(states, parsePattern(text), add(states, { kind: 'match' }));
  return (subject) => matches(states, first, subject);
}

type State =
  | { readonly kind: 'match' }
  | { readonly kind: 'set'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'fork'; next: readonly number[] };

function add(states: State[], state: State): number {
  if (states.length >= statesMax) throw new PatternError('the pattern is too large');
  return states.push(state) - 1;
}

/** Adds the states of a node that go on to `next`; the number of the first of them. */
function build(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'set':
      return add(states, { kind: 'set', set: node.set, next });
    case 'start':
    case 'end':
      return add(states, { kind: node.kind, next });
    case 'empty':
      return next;
    case 'sequence':
      return node.parts.reduceRight((behind, part) => build(states, part, behind), next);
    case 'choice': {
      const choices = node.parts.map((part) => build(states, part, next));
      return add(states, { kind: 'fork', next: choices });
    }
    case 'repeat':
      return buildRepeat(states, node, next);
  }
}

function buildRepeat(
  states: State[],
  { part, min, max }: PatternNode & { kind: 'repeat' },
  next: number,
): number {
  let first = next;
  if (max === undefined) {
    const loop: State = { kind: 'fork', next: [] };
    first = add(states, loop);
    loop.next = [build(states, part, first), next];
  } else
    for (let count = min; count < max; count++)
      first = add(states, { kind: 'fork', next: [build(states, part, first), next] });
  for (let count = 0; count < min; count++) first = build(states, part, first);
  return first;
}

/** All states that the text can be in are followed at once; a match may begin anywhere. */
function matches(states: readonly State[], first: number, text: string): boolean {
  let current = new Set<number>();
  let offset = 0;
  for (const character of text) {
    const here = { atStart: offset === 0, atEnd: false };
    if (follow(states, current, first, here)) return true;
    const codePoint = character.codePointAt(0) ?? 0;
    const behind = new Set<number>();
    offset += character.length;
    const there = { atStart: false, atEnd: offset === text.length };
    for (const number of current) {
      const state = states[number];
      if (state?.kind !== 'set' || !state.set(codePoint)) continue;
      if (follow(states, behind, state.next, there)) return true;
    }
    current = behind;
  }
  return follow(states, current, first, { atStart: offset === 0, atEnd: true });
}

/** Adds a state and all that follow without a character; true when the match is among them. */
function follow(
  states: readonly State[],
  reached: Set<number>,
  from: number,
  { atStart, atEnd }: { readonly atStart: boolean; readonly atEnd: boolean },
): boolean {
  const open = [from];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (reached.has(number)) continue;
    reached.add(number);
    const state = states[number];
    if (state?.kind === 'match') return true;
    if (state?.kind === 'fork') open.push(...state.next);
    if (state?.kind === 'start' && atStart) open.push(state.next);
    if (state?.kind === 'end' && atEnd) open.push(state.next);
  }
  return false;
}
