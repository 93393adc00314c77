import { plainNumber } from '@sluice/inference';

type Schema = Readonly<Record<string, unknown>>;

/** Bounds the work, because both the schema and the value are untrusted. */
const stepsMax = 5_000;
const depthMax = 64;

/** Thrown if the schema cannot be read or costs too much. It then counts as absent. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * Returns true if a JSON value matches a JSON schema (draft 7), or undefined if the schema cannot be read or takes too
 * long. `pattern` and `format` are not checked, because an untrusted expression may not terminate.
 */
export function matchesSchema(schema: unknown, value: unknown): boolean | undefined {
  try {
    return new Check(schema).matches(schema, value, 0);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Check {
  readonly #root: unknown;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  matches(schema: unknown, value: unknown, depth: number): boolean {
    this.#steps += 1;
    if (this.#steps > stepsMax || depth > depthMax) throw new Unreadable();
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) throw new Unreadable();
    // Keywords beside a reference are ignored.
    if ('$ref' in schema) return this.matches(this.#referred(schema['$ref']), value, depth + 1);
    return (
      isOfType(schema['type'], value) &&
      this.#isOneOfThose(schema, value) &&
      isWithin(schema, value) &&
      this.#combined(schema, value, depth + 1) &&
      (!isObject(value) || this.#object(schema, value, depth + 1)) &&
      (!Array.isArray(value) || this.#array(schema, value, depth + 1))
    );
  }

  #referred(pointer: unknown): unknown {
    if (typeof pointer !== 'string' || !pointer.startsWith('#')) throw new Unreadable();
    let place = this.#root;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isObject(place) || !Object.hasOwn(place, name)) throw new Unreadable();
      place = place[name];
    }
    return place;
  }

  #isOneOfThose(schema: Schema, value: unknown): boolean {
    const { enum: values, const: only } = schema;
    if ('const' in schema && !this.#isSame(only, value)) return false;
    if (values === undefined) return true;
    return listOf(values).some((one) => this.#isSame(one, value));
  }

  #isSame(told: unknown, other: unknown): boolean {
    const one = plainNumber(told);
    this.#steps += 1;
    if (this.#steps > stepsMax) throw new Unreadable();
    if (one === other) return true;
    if (Array.isArray(one))
      return (
        Array.isArray(other) &&
        one.length === other.length &&
        one.every((each, index) => this.#isSame(each, other[index]))
      );
    if (!isObject(one) || !isObject(other)) return false;
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && this.#isSame(one[name], other[name]))
    );
  }

  #combined(schema: Schema, value: unknown, depth: number): boolean {
    const holds = (one: unknown) => this.matches(one, value, depth);
    const { allOf, anyOf, oneOf, not } = schema;
    if (allOf !== undefined && !listOf(allOf).every(holds)) return false;
    if (anyOf !== undefined && !listOf(anyOf).some(holds)) return false;
    if (oneOf !== undefined && listOf(oneOf).filter(holds).length !== 1) return false;
    if (not !== undefined && holds(not)) return false;
    if (schema['if'] === undefined) return true;
    const branch = schema[holds(schema['if']) ? 'then' : 'else'];
    return branch === undefined || holds(branch);
  }

  #object(schema: Schema, value: Schema, depth: number): boolean {
    const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
    if (!isObject(properties)) throw new Unreadable();
    for (const name of listOf(required))
      if (typeof name !== 'string' || !Object.hasOwn(value, name)) return false;
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) {
        if (!this.matches(properties[name], member, depth)) return false;
      } else if (additionalProperties !== undefined && patternProperties === undefined) {
        if (!this.matches(additionalProperties, member, depth)) return false;
      }
    }
    return true;
  }

  #array(schema: Schema, value: readonly unknown[], depth: number): boolean {
    const { items, prefixItems, additionalItems } = schema;
    const first = Array.isArray(items) ? items : (prefixItems ?? []);
    const rest = Array.isArray(items) ? additionalItems : items;
    const placed = listOf(first);
    return value.every((member, index) => {
      const wanted = index < placed.length ? placed[index] : rest;
      return wanted === undefined || this.matches(wanted, member, depth);
    });
  }
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  const types = typeof type === 'string' ? [type] : listOf(type);
  return types.some((one) => {
    switch (one) {
      case 'null':
        return value === null;
      case 'array':
        return Array.isArray(value);
      case 'object':
        return isObject(value);
      case 'integer':
        return Number.isInteger(value);
      case 'string':
      case 'number':
      case 'boolean':
        return typeof value === one;
      default:
        throw new Unreadable();
    }
  });
}

/** Checks the bounds of numbers, texts, lists and objects. */
function isWithin(schema: Schema, value: unknown): boolean {
  const between = (size: number, least: unknown, most: unknown) =>
    size >= bound(least, -Infinity) && size <= bound(most, Infinity);
  if (typeof value === 'number')
    return (
      between(value, schema['minimum'], schema['maximum']) &&
      value > bound(schema['exclusiveMinimum'], -Infinity) &&
      value < bound(schema['exclusiveMaximum'], Infinity)
    );
  if (typeof value === 'string') {
    if (schema['minLength'] === undefined && schema['maxLength'] === undefined) return true;
    return between(codePointsOf(value), schema['minLength'], schema['maxLength']);
  }
  if (Array.isArray(value)) return between(value.length, schema['minItems'], schema['maxItems']);
  if (!isObject(value)) return true;
  return between(Object.keys(value).length, schema['minProperties'], schema['maxProperties']);
}

function codePointsOf(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/** Draft 4 has booleans where later drafts have numbers. Such bounds are not checked. */
function bound(told: unknown, none: number): number {
  const value = plainNumber(told);
  if (value === undefined || typeof value === 'boolean') return none;
  if (typeof value !== 'number') throw new Unreadable();
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable();
  return value;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
