import type { Schema } from './schema.ts';

/** One way to differ from a valid value. */
export interface Mutation {
  /** The mutation, and its place. */
  readonly what: string;
  readonly value: unknown;
}

const depthMax = 4;
const itemsMax = 2_000;
const charactersMax = 200_000;

/** Values of every type, and texts that break what trusts them. */
const others: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  'a\u0000b',
  '\u001b[31m',
  '\ud83d',
  '🚀'.repeat(50),
  "'; drop table keys; --",
  '${jndi:ldap://x}',
  '../../etc/passwd',
  'x'.repeat(10_000),
  [],
  [[]],
  {},
  { __proto__x: 1 },
];

/** Each constraint at its bounds and broken once, each type swapped, each field added or left out. */
export function* mutationsOf(schema: Schema, valid: unknown, at = 'body'): Generator<Mutation> {
  for (const value of others) yield { what: `${at} is ${shown(value)}`, value };
  for (const value of bounds(schema)) yield { what: `${at} is ${shown(value)}`, value };
  if (at.split('.').length > depthMax) return;
  if (Array.isArray(valid)) yield* ofArray(schema, valid, at);
  else if (isObject(valid)) yield* ofObject(schema, valid, at);
}

function* ofObject(
  schema: Schema,
  valid: Readonly<Record<string, unknown>>,
  at: string,
): Generator<Mutation> {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const properties = alternatives.find((one) => one.properties)?.properties ?? {};
  for (const name of ['unknown_field', '__proto__', 'constructor', '']) {
    const value = Object.defineProperty({ ...valid }, name, { value: 1, enumerable: true });
    yield { what: `${at} has a field '${name}'`, value };
  }
  for (const name of Object.keys(valid)) {
    const { [name]: _, ...rest } = valid;
    yield { what: `${at} has no ${name}`, value: rest };
  }
  for (const [name, property] of Object.entries(properties))
    for (const { what, value } of mutationsOf(property, valid[name], `${at}.${name}`))
      yield { what, value: { ...valid, [name]: value } };
}

function* ofArray(schema: Schema, valid: readonly unknown[], at: string): Generator<Mutation> {
  const [first] = valid;
  yield { what: `${at} has an item twice`, value: [...valid, first] };
  for (const { what, value } of mutationsOf(schema.items ?? {}, first, `${at}.0`))
    yield { what, value: [value, ...valid.slice(1)] };
}

/** The least and the most that is allowed, and one beyond. */
function bounds(schema: Schema): readonly unknown[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
  const ofAlternatives = (schema.anyOf ?? []).flatMap(bounds);
  const lengths = [minLength, maxLength].flatMap((length) =>
    length === undefined ? [] : [length - 1, length, length + 1],
  );
  const numbers = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1],
  );
  const counts = [minItems, maxItems].flatMap((count) =>
    count === undefined ? [] : [count - 1, count, count + 1],
  );
  return [
    ...ofAlternatives,
    ...numbers,
    ...lengths
      .filter((length) => length >= 0 && length <= charactersMax)
      .map((length) => 'x'.repeat(length)),
    ...counts
      .filter((count) => count >= 0 && count <= itemsMax)
      .map((count) => Array.from({ length: count }, (_, index) => itemOf(items, index))),
  ];
}

function itemOf(schema: Schema | undefined, index: number): unknown {
  return schema?.type === 'object' ? {} : `item-${index}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
