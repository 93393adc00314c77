export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Whole numbers from 0 below a bound: the same seed always gives the same ones (mulberry32). */
export type Dice = (bound: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

const mutationsMax = 6;
/** The percentage of bodies with broken bytes. */
const byteMutationsPercent = 15;

/** Returns a body of `POST /responses` as a faulty or hostile client might send it. */
export function mutatedBody(seeds: readonly Json[], seed: number): Uint8Array {
  const dice = diceOf(seed);
  let body: Json = seeds[dice(seeds.length)] ?? {};
  const mutations = dice(mutationsMax);
  for (let mutation = 0; mutation < mutations; mutation++) body = mutated(body, seeds, dice);
  const bytes = Buffer.from(JSON.stringify(body));
  return dice(100) < byteMutationsPercent ? brokenBytes(bytes, dice) : bytes;
}

/** The value with one change somewhere in it: a branch is chosen at each step down. */
export function mutated(value: Json, seeds: readonly Json[], dice: Dice): Json {
  if (dice(4) === 0) return replaced(value, seeds, dice);
  if (isList(value)) {
    if (value.length === 0) return [nasty(dice)];
    const place = dice(value.length);
    if (dice(5) === 0) return value.toSpliced(place, 1);
    if (dice(8) === 0) return [...value, ...value];
    return value.with(place, mutated(value[place] ?? null, seeds, dice));
  }
  if (typeof value !== 'object' || value === null) return replaced(value, seeds, dice);
  const entries = Object.entries(value);
  if (entries.length === 0) return { [nameOf(seeds, dice)]: nasty(dice) };
  const place = dice(entries.length);
  const [name, inner] = entries[place] ?? ['', null];
  switch (dice(8)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(place, 1));
    case 1:
      return { ...value, [nameOf(seeds, dice)]: nasty(dice) };
    case 2:
      return Object.fromEntries(entries.with(place, [nameOf(seeds, dice), inner]));
    default:
      return { ...value, [name]: mutated(inner, seeds, dice) };
  }
}

function replaced(value: Json, seeds: readonly Json[], dice: Dice): Json {
  if (dice(3) === 0) return anywhereIn(seeds[dice(seeds.length)] ?? null, dice);
  if (typeof value === 'number' && dice(2) === 0) return -value;
  if (typeof value === 'string' && dice(2) === 0) return value.slice(dice(value.length + 1));
  return nasty(dice);
}

const nastyValues: readonly (() => Json)[] = [
  () => null,
  () => true,
  () => '',
  () => 0,
  () => -1,
  () => 1e308,
  () => 0.1 + 0.2,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => [],
  () => ({}),
  () => [null],
  () => [[[[[[[['deep']]]]]]]],
  () => 'x'.repeat(300),
  () => 'x'.repeat(70_000),
  () => '\u0000\u001f\ud800\uffff',
  () => '\u{1f600}'.repeat(40),
  () => 'data:image/png;base64,####',
  () => `data:${'a'.repeat(200)};base64,`,
  () => 'http://[::1',
  () => 'javascript:alert(1)',
  () => '../../etc/passwd',
  () => 'service/auto',
  () => ':nitro:floor:free',
  () => '~sim/echo-latest',
  () => 'constructor',
  () => '__proto__',
  () =>
    JSON.parse('{"__proto__": {"type": "message"}, "constructor": 1, "hasOwnProperty": 2}') as Json,
  () => Array.from({ length: 300 }, () => ({ type: 'function_call', call_id: 'a' })),
  () => ({ type: 'item_reference', id: 'a' }),
  () => ({ length: 1e9, 0: 'a' }),
  () => JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`) as Json,
];

function nasty(dice: Dice): Json {
  return nastyValues[dice(nastyValues.length)]?.() ?? null;
}

const names = ['__proto__', 'constructor', 'toString', 'type', 'id', '', 'input', 'tools'];

function nameOf(seeds: readonly Json[], dice: Dice): string {
  if (dice(3) === 0) return names[dice(names.length)] ?? '';
  const seed = seeds[dice(seeds.length)];
  const known = typeof seed === 'object' && seed !== null ? Object.keys(seed) : [];
  return known[dice(known.length)] ?? 'input';
}

function anywhereIn(value: Json, dice: Dice): Json {
  if (typeof value !== 'object' || value === null || dice(3) === 0) return value;
  const inner = isList(value) ? value : Object.values(value);
  return anywhereIn(inner[dice(inner.length)] ?? null, dice);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function brokenBytes(bytes: Buffer, dice: Dice): Uint8Array {
  const place = dice(bytes.length + 1);
  switch (dice(5)) {
    case 0:
      return bytes.subarray(0, place);
    case 1:
      return Buffer.concat([
        bytes.subarray(0, place),
        Buffer.from([dice(256)]),
        bytes.subarray(place),
      ]);
    case 2:
      return Buffer.concat([bytes, bytes]);
    case 3:
      return Buffer.from(
        bytes.map((byte, index) => (index === place ? byte ^ (1 << dice(8)) : byte)),
      );
    default:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  }
}
