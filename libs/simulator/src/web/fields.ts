import { BadRequest, isObject, type JsonObject } from '../prompt.ts';
import type { Sites } from './corpus.ts';

export function textAt(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new BadRequest(`${name} is required`);
  return value;
}

export function numberAt(body: JsonObject, name: string, otherwise: number, max: number): number {
  const value = body[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max)
    throw new BadRequest(`${name} must be an integer from 1 to ${max}`);
  return value;
}

export function wordAt(
  body: JsonObject,
  name: string,
  words: readonly string[],
): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !words.includes(value))
    throw new BadRequest(`${name} must be one of ${words.join(', ')}`);
  return value;
}

export function listAt(body: JsonObject, name: string): readonly string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw new BadRequest(`${name} must be a list of strings`);
  return value as readonly string[];
}

export function objectAt(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {};
  if (!isObject(value)) throw new BadRequest(`${name} must be an object`);
  return value;
}

/** Throws BadRequest if a body has a field that the API does not know. */
export function knowsOnly(body: JsonObject, names: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new BadRequest(`${unknown} is not a parameter`);
}

/** Splits the words `site:a` and `-site:b` from a query, as web search engines read them. */
export function readSites(query: string): Sites & { readonly words: string } {
  const found = [...query.matchAll(/(-?)site:([^\s()]+)/gu)];
  const words = query.replaceAll(/-?site:[^\s()]+|\bOR\b|[()]/gu, ' ').trim();
  return {
    words,
    allowed: found.filter(([, minus]) => minus === '').map(([, , domain = '']) => domain),
    excluded: found.filter(([, minus]) => minus === '-').map(([, , domain = '']) => domain),
  };
}
