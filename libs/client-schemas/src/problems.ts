import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { isObject, type JsonObject } from './fields.ts';

export interface Problem {
  /** The place in the body: `input[3].content[0].text`. Empty: the body itself. */
  readonly path: string;
  readonly message: string;
}

/** The keywords of JSON Schema that the schemas of clients use. */
export interface Schema extends TSchema {
  readonly type?: string;
  readonly $comment?: string;
  /** Completes the sentence "must be …" for a value that the schema refuses. */
  readonly mustBe?: string;
  /** The field that the rule about several fields of an object is told at. Absent: the object. */
  readonly ruleField?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
}

/** Marks a branch of a union that takes what no other branch knows. The rules beside the schema decide about it. */
export const openMark = { $comment: 'any other' } as const;

/** The fields whose words tell the kinds of a union apart, the first that all of them have first. */
const kindFields = ['type', 'id', 'role'];
const keyCharactersMax = 64;
const listedKindsMax = 7;

/**
 * Lists what a schema finds wrong with a value, in the order of the schema and in words for people: at most `max`
 * problems. Of a union it takes the kind that the value names. The work is linear in the size of the value.
 */
export function problemsOf(
  schema: TSchema,
  value: unknown,
  { path = '', max }: { readonly path?: string; readonly max: number },
): readonly Problem[] {
  const search = new Search(max);
  search.value(schema, value, path);
  return search.problems;
}

class Search {
  readonly problems: Problem[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get #isFull(): boolean {
    return this.problems.length >= this.#max;
  }

  value(schema: Schema, value: unknown, path: string): void {
    if (this.#isFull) return;
    if (schema.properties !== undefined) this.#object(schema, value, path);
    else if (schema.anyOf) this.#union(schema, value, path);
    else if (schema.items) this.#list(schema, value, path);
    else this.#leaf(schema, value, path);
  }

  #add(path: string, message: string): void {
    if (!this.#isFull) this.problems.push({ path, message });
  }

  #union(schema: Schema, value: unknown, path: string): void {
    const all = branchesOf(schema).filter((one) => one.type !== 'null');
    if (all.some((one) => isOpen(one) && Check(one, value))) return;
    const branches = all.filter((one) => !isOpen(one));
    if (value === null && branchesOf(schema).length > all.length) return;
    const described = mustBeOf(schema);
    const objects = branches.filter((one) => one.properties !== undefined);
    if (isObject(value) && objects.length > 0) return this.#kind(objects, value, path, described);
    const sameType = branches.find((one) => !one.properties && isOfType(one, value));
    if (sameType) return this.value(sameType, value, path);
    if (described !== undefined) return this.#add(path, `must be ${described}`);
    const last = branches.at(-1);
    if (last) this.value(last, value, path);
  }

  /** Goes on with the kind that the object names. */
  #kind(kinds: readonly Schema[], value: JsonObject, path: string, described = 'an object'): void {
    let left = kinds;
    for (const name of kindFields) {
      if (left.length === 1) break;
      const words = left.map((one) => wordsOf(one.properties?.[name]));
      const given = value[name] ?? undefined;
      if (words.includes(undefined)) {
        left = namedKinds(left, words, { name, given });
        continue;
      }
      const fitting = left.filter((one, index) =>
        given === undefined ? needsNone(one, name, value) : words[index]?.includes(given),
      );
      if (fitting.length === 0) {
        const message = given === undefined ? 'is required' : noKind(words.flat(), described);
        return this.#add(inside(path, name), message);
      }
      left = fitting;
    }
    const [kind] = left;
    if (kind) this.#object(kind, value, path);
  }

  #object(schema: Schema, value: unknown, path: string): void {
    if (!isObject(value)) return this.#add(path, `must be ${schema.mustBe ?? 'an object'}`);
    const { properties = {}, required = [], additionalProperties } = schema;
    const before = this.problems.length;
    if (additionalProperties === false)
      for (const name of Object.keys(value))
        if (!Object.hasOwn(properties, name))
          this.#add(inside(path, name), 'there is no such field');
    for (const [name, property] of Object.entries(properties)) {
      const at = inside(path, name);
      if ((value[name] ?? undefined) !== undefined) this.value(property, value[name], at);
      else if (required.includes(name) && !(name in value && Check(property, value[name])))
        this.#add(at, 'is required');
    }
    if (isObject(additionalProperties)) this.#map(schema, additionalProperties, value, path);
    const choices = schema.anyOf?.map((one) => one.required?.[0] ?? '');
    if (choices && !choices.some((name) => (value[name] ?? '') !== ''))
      this.#add(
        inside(path, choices[0] ?? ''),
        `is required, or ${choices.slice(1).join(', or ')}`,
      );
    // A rule about several fields holds for fields that are right.
    const { ruleField } = schema;
    if ('~refine' in schema && this.problems.length === before)
      this.#leaf(schema, value, ruleField === undefined ? path : inside(path, ruleField));
  }

  #map(schema: Schema, values: Schema, value: JsonObject, path: string): void {
    const { maxProperties = Infinity, propertyNames } = schema;
    const entries = Object.entries(value);
    if (entries.length > maxProperties)
      return this.#add(path, `must have at most ${String(maxProperties)} pairs`);
    for (const [name, one] of entries) {
      if (this.#isFull) return;
      const at = inside(path, name);
      const wrongName = propertyNames && wordsFor(propertyNames, name);
      if (wrongName !== undefined) this.#add(at, `the key ${wrongName}`);
      else this.value(values, one, at);
    }
  }

  #list(schema: Schema, value: unknown, path: string): void {
    const { items = {}, minItems = 0, maxItems = Infinity } = schema;
    if (!Array.isArray(value)) return this.#add(path, 'must be an array');
    if (value.length < minItems)
      return this.#add(path, `must have at least ${String(minItems)} items`);
    if (value.length > maxItems)
      return this.#add(path, `must have at most ${String(maxItems)} items`);
    const before = this.problems.length;
    for (const [index, one] of value.entries()) {
      if (this.#isFull) return;
      this.value(items, one, `${path}[${String(index)}]`);
    }
    if ('~refine' in schema && this.problems.length === before) this.#leaf(schema, value, path);
  }

  #leaf(schema: Schema, value: unknown, path: string): void {
    const message = wordsFor(schema, value);
    if (message !== undefined) this.#add(path, message);
  }
}

/** Returns true for a branch that takes what no other knows. */
export function isOpen({ $comment: comment }: Schema): boolean {
  return comment === openMark.$comment;
}

/** Lists the kinds, unless they are many. */
function noKind(known: readonly unknown[], described: string): string {
  const kinds = [...new Set(known)];
  if (kinds.length <= listedKindsMax) return `must be one of ${kinds.join(', ')}`;
  return `is no known kind of ${described.replace(/^an? /, '')}`;
}

/** The alternatives of a schema, those of a union inside it among them. */
export function branchesOf(schema: Schema): readonly Schema[] {
  if (!schema.anyOf || schema.properties !== undefined) return [schema];
  return schema.anyOf.flatMap(branchesOf);
}

/** Returns the words for a union: its own, or those of the one union in it. */
function mustBeOf({ mustBe, anyOf = [] }: Schema): string | undefined {
  const unions = anyOf.filter((one) => one.anyOf && one.properties === undefined);
  return mustBe ?? unions[0]?.mustBe;
}

/** The words that a field may have; undefined: it may have any. */
export function wordsOf(schema: Schema | undefined): readonly unknown[] | undefined {
  const words = (schema ? branchesOf(schema) : [{}])
    .filter((one: Schema) => one.type !== 'null')
    .map((one: Schema) => one.enum ?? (one.const === undefined ? undefined : [one.const]));
  return words.includes(undefined) ? undefined : words.flat();
}

/** True if a kind may do without its name, since the object has all else that it needs. */
function needsNone({ required = [] }: Schema, name: string, value: JsonObject): boolean {
  return !required.includes(name) && required.every((one) => (value[one] ?? null) !== null);
}

/** Returns the kinds with the given word; without one, the kinds that allow more than a list of words. */
function namedKinds(
  kinds: readonly Schema[],
  words: readonly (readonly unknown[] | undefined)[],
  { name, given }: { readonly name: string; readonly given: unknown },
): readonly Schema[] {
  const isTold = kinds.every((one) => one.properties?.[name] !== undefined);
  if (given === undefined || !isTold) return kinds;
  const exact = kinds.filter((_kind, index) => words[index]?.includes(given));
  return exact.length > 0 ? exact : kinds.filter((_kind, index) => words[index] === undefined);
}

function isOfType({ type, items }: Schema, value: unknown): boolean {
  if (items ?? type === 'array') return Array.isArray(value);
  return type === 'integer' ? typeof value === 'number' : typeof value === type;
}

function inside(path: string, name: string): string {
  const shown = name.slice(0, keyCharactersMax);
  return path === '' ? shown : `${path}.${shown}`;
}

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** Why a value that has no parts is none; undefined: it is one. */
function wordsFor(schema: Schema, value: unknown): string | undefined {
  const [isRight, [error]] = Errors(schema, value);
  if (isRight) return undefined;
  assert(error, 'a value that is wrong has an error');
  if (schema.mustBe !== undefined) return `must be ${schema.mustBe}`;
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`;
  const { keyword, params } = error;
  switch (keyword) {
    case 'const':
      return `must be ${String(schema.const)}`;
    case 'type':
      return `must be ${articles[schema.type ?? ''] ?? 'of another type'}`;
    case 'minimum':
      return `must be at least ${String(params.limit)}`;
    case 'maximum':
      return `must be at most ${String(params.limit)}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${String(params.limit)} characters`;
    case '~refine':
      return params.message;
    default:
      return error.message;
  }
}
