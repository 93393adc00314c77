import type { ErrorCode } from '@sluice/errors';
import type { Issues } from './issues.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface StringBounds {
  readonly charactersMax?: number;
  readonly charactersMin?: number;
}

interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Reads the fields of one object of a request. Each method answers undefined for a field that is
 * absent or null, and for a bad one after noting what is wrong with it.
 */
export class Fields {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #issues: Issues;
  readonly #code: ErrorCode;

  constructor(
    object: JsonObject,
    at: { readonly path: string; readonly issues: Issues; readonly code?: ErrorCode },
  ) {
    this.#object = object;
    this.#path = at.path;
    this.#issues = at.issues;
    this.#code = at.code ?? 'invalid_request';
  }

  path(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  value(name: string): unknown {
    return this.#object[name] ?? undefined;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** True when nothing has another name than these. */
  isWithin(names: ReadonlySet<string>): boolean {
    for (const name in this.#object) if (!names.has(name)) return false;
    return true;
  }

  /** All of it, for those who look at its names alone. */
  get all(): JsonObject {
    return this.#object;
  }

  refuse(name: string, message: string): undefined {
    this.#issues.add(this.path(name), message, this.#code);
  }

  string(name: string, bounds: StringBounds = {}): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.refuse(name, 'must be a string');
    const { charactersMin = 0, charactersMax = Infinity } = bounds;
    if (value.length < charactersMin) return this.refuse(name, 'must not be empty');
    if (value.length > charactersMax) {
      return this.refuse(name, `must have at most ${String(charactersMax)} characters`);
    }
    return value;
  }

  requiredString(name: string, bounds: StringBounds = {}): string | undefined {
    return this.has(name) ? this.string(name, bounds) : this.refuse(name, 'is required');
  }

  number(name: string, bounds: NumberBounds): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return this.refuse(name, 'must be a number');
    }
    return this.#within(name, value, bounds);
  }

  integer(name: string, bounds: NumberBounds): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      return this.refuse(name, 'must be an integer');
    }
    return this.#within(name, value, bounds);
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse(name, 'must be a boolean');
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const found = values.find((candidate) => candidate === value);
    return found ?? this.refuse(name, `must be one of ${values.join(', ')}`);
  }

  object(name: string): JsonObject | undefined {
    const value = this.value(name);
    if (value === undefined || isObject(value)) return value;
    return this.refuse(name, 'must be an object');
  }

  array(name: string, itemsMax: number): readonly unknown[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.refuse(name, 'must be an array');
    if (value.length <= itemsMax) return value as readonly unknown[];
    return this.refuse(name, `must have at most ${String(itemsMax)} items`);
  }

  #within(name: string, value: number, { min, max }: NumberBounds): number | undefined {
    if (value < min) return this.refuse(name, `must be at least ${String(min)}`);
    if (value > max) return this.refuse(name, `must be at most ${String(max)}`);
    return value;
  }
}
