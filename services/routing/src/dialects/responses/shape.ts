import type { ErrorCode } from '@sluice/errors';
import { isObject } from './fields.ts';
import type { Issues } from './issues.ts';

/** The place of a value in a body, and the list of problems. */
export interface Place {
  readonly path: string;
  readonly issues: Issues;
  readonly code?: ErrorCode;
}

/** Notes what is wrong with a value that is there. */
export type Check = (value: unknown, place: Place) => void;

/** The fields of an object; a name that ends in `*` is required. null is absent, what is not named is ignored. */
export type Shape = Readonly<Record<string, Check>>;

interface LengthBounds {
  readonly min?: number;
  readonly max?: number;
}

export function refuse({ path, issues, code }: Place, message: string): void {
  issues.add(path, message, code);
}

/** The place of a field. */
export function inside(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` };
}

/** The place of an element. */
export function nth(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[${String(index)}]` };
}

export const anything: Check = () => undefined;

export const flag: Check = (value, place) => {
  if (typeof value !== 'boolean') refuse(place, 'must be a boolean');
};

export const anyObject: Check = (value, place) => {
  if (!isObject(value)) refuse(place, 'must be an object');
};

/** A string; its length is in UTF-16 code units. */
export function text({ min = 0, max = Infinity }: LengthBounds = {}): Check {
  return (value, place) => {
    if (typeof value !== 'string') refuse(place, 'must be a string');
    else if (value.length < min) refuse(place, 'must not be empty');
    else if (value.length > max) refuse(place, `must have at most ${String(max)} characters`);
  };
}

/** A string of a form that `told` puts into words. */
export function formed(pattern: RegExp, told: string): Check {
  return (value, place) => {
    if (typeof value !== 'string') refuse(place, 'must be a string');
    else if (!pattern.test(value)) refuse(place, told);
  };
}

export function oneOf(...words: readonly string[]): Check {
  return (value, place) => {
    if (typeof value !== 'string' || !words.includes(value))
      refuse(place, `must be one of ${words.join(', ')}`);
  };
}

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, place) => {
    if (Number.isSafeInteger(value)) within(value as number, { min, max }, place);
    else refuse(place, 'must be an integer');
  };
}

export function number(min: number, max = Number.MAX_VALUE): Check {
  return (value, place) => {
    if (Number.isFinite(value)) within(value as number, { min, max }, place);
    else refuse(place, 'must be a number');
  };
}

function within(value: number, { min, max }: Required<LengthBounds>, place: Place): void {
  if (value < min) refuse(place, `must be at least ${String(min)}`);
  if (value > max) refuse(place, `must be at most ${String(max)}`);
}

export function listOf(check: Check, { min = 0, max = listItemsMax }: LengthBounds = {}): Check {
  return (value, place) => {
    if (!Array.isArray(value)) refuse(place, 'must be an array');
    else if (value.length < min) refuse(place, `must have at least ${String(min)} items`);
    else if (value.length > max) refuse(place, `must have at most ${String(max)} items`);
    else for (const [index, item] of value.entries()) check(item, nth(place, index));
  };
}

/** The bound of every other list: far above what a request needs. */
const listItemsMax = 10_000;

/** An object all of whose values are of one kind. */
export function mapOf(check: Check): Check {
  return (value, place) => {
    if (!isObject(value)) return refuse(place, 'must be an object');
    for (const [name, inner] of Object.entries(value)) check(inner, inside(place, name));
  };
}

/** A string, or something else. */
export function textOr(check: Check): Check {
  return (value, place) => {
    if (typeof value !== 'string') check(value, place);
  };
}

export function objectOf(shape: Shape): Check {
  return (value, place) => {
    if (isObject(value)) checkFields(value, shape, place);
    else refuse(place, 'must be an object');
  };
}

/** An object whose `type` says what its other fields are. */
export function kindOf(kinds: Readonly<Record<string, Shape>>): Check {
  const known = new Map(Object.entries(kinds));
  const names = [...known.keys()].join(', ');
  return (value, place) => {
    if (!isObject(value)) return refuse(place, 'must be an object');
    const { type } = value;
    const shape = typeof type === 'string' ? known.get(type) : undefined;
    if (shape) checkFields(value, shape, place);
    else refuse(inside(place, 'type'), `must be one of ${names}`);
  };
}

/** All of them. */
export function both(first: Check, second: Check): Check {
  return (value, place) => {
    first(value, place);
    second(value, place);
  };
}

/** Notes which fields of an object are missing or wrong. */
export function checkFields(
  object: Readonly<Record<string, unknown>>,
  shape: Shape,
  place: Place,
): void {
  for (const [field, check] of Object.entries(shape)) {
    const isRequired = field.endsWith('*');
    const name = isRequired ? field.slice(0, -1) : field;
    const value = object[name] ?? undefined;
    if (value !== undefined) check(value, inside(place, name));
    else if (isRequired) refuse(inside(place, name), 'is required');
  }
}
