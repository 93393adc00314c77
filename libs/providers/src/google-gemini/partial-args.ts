import { isNumberText } from '@sluice/inference';
import { asArray, asObject, asString, type JsonObject } from '../json-reader.ts';

/** A piece of the arguments of a call that arrives in pieces: a value, or more of a text, at a place. */
export interface PartialArg {
  /** The names and positions that lead to the value. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Bounds the depth of arguments. */
const depthMax = 64;

/** Returns undefined if a piece names no place or has no value. */
export function readPartialArgs(pieces: unknown): readonly PartialArg[] | undefined {
  const read = asArray(pieces).map((piece) => readPiece(asObject(piece) ?? {}));
  const whole = read.filter((piece) => piece !== undefined);
  return whole.length === read.length ? whole : undefined;
}

function readPiece(piece: JsonObject): PartialArg | undefined {
  const path = readPath(asString(piece['jsonPath']) ?? '');
  const value = valueOf(piece);
  return path && value !== undefined ? { path, value } : undefined;
}

function valueOf(piece: JsonObject): unknown {
  const { stringValue, numberValue, boolValue } = piece;
  if (typeof stringValue === 'string' || typeof boolValue === 'boolean')
    return stringValue ?? boolValue;
  if (typeof numberValue === 'number' || isNumberText(numberValue)) return numberValue;
  return 'nullValue' in piece ? null : undefined;
}

/** One step of a path such as `$.rooms[0]['a name']`. */
const step = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function readPath(text: string): PartialArg['path'] | undefined {
  if (!text.startsWith('$')) return undefined;
  const path: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const [found, name, position, quoted, doubleQuoted] = step.exec(text) ?? [];
    if (found === undefined || path.length >= depthMax) return undefined;
    const escaped = quoted ?? doubleQuoted;
    if (position !== undefined) path.push(Number(position));
    else path.push(name ?? (escaped ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return path.length > 0 ? path : undefined;
}

type Container = Map<string, unknown> | unknown[];

/** Collects the pieces of one call. Grows in place. */
export class PartialArgs {
  readonly #root = new Map<string, unknown>();

  /** Returns false if a piece contradicts the ones before. */
  add(pieces: readonly PartialArg[]): boolean {
    return pieces.every(({ path, value }) => put(this.#root, path, value));
  }

  get isEmpty(): boolean {
    return this.#root.size === 0;
  }

  /** Returns the arguments as JSON. */
  get text(): string {
    return JSON.stringify(plain(this.#root));
  }
}

function put(root: Container, path: PartialArg['path'], value: unknown): boolean {
  let holder: Container = root;
  for (const [level, key] of path.entries()) {
    const next = path[level + 1];
    const known = memberOf(holder, key);
    if (next !== undefined) {
      const inner = known ?? (typeof next === 'number' ? [] : new Map<string, unknown>());
      if (!(inner instanceof Map || Array.isArray(inner))) return false;
      if (!setMember(holder, key, inner)) return false;
      holder = inner;
    } else if (typeof known === 'string' && typeof value === 'string')
      return setMember(holder, key, known + value);
    else return setMember(holder, key, value);
  }
  return true;
}

function memberOf(holder: Container, key: string | number): unknown {
  if (holder instanceof Map) return typeof key === 'string' ? holder.get(key) : undefined;
  return typeof key === 'number' ? holder[key] : undefined;
}

/** Returns false for a name in a list, a position in an object, or a position behind a gap. */
function setMember(holder: Container, key: string | number, value: unknown): boolean {
  if (holder instanceof Map) {
    if (typeof key === 'string') holder.set(key, value);
    return typeof key === 'string';
  }
  if (typeof key !== 'number' || key > holder.length) return false;
  holder[key] = value;
  return true;
}

function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, each]) => [name, plain(each)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
