import type { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import {
  metadataKeyCharactersMax,
  metadataPairsMax,
  metadataValueCharactersMax,
} from './limits.ts';

/** `metadata`: at most 16 short pairs of strings; empty when absent. */
export function parseMetadata(body: Fields, issues: Issues): Readonly<Record<string, string>> {
  const metadata = body.object('metadata');
  if (!metadata) return {};
  const pairs = Object.entries(metadata);
  if (pairs.length > metadataPairsMax) {
    body.refuse('metadata', `must have at most ${String(metadataPairsMax)} pairs`);
    return {};
  }
  const valid = pairs.filter((pair): pair is [string, string] => isValid(pair, body, issues));
  return Object.fromEntries(valid);
}

function isValid([key, value]: readonly [string, unknown], body: Fields, issues: Issues): boolean {
  const problem = problemOf(key, value);
  if (problem === undefined) return true;
  issues.add(`${body.path('metadata')}.${key.slice(0, metadataKeyCharactersMax)}`, problem);
  return false;
}

function problemOf(key: string, value: unknown): string | undefined {
  if (key.length > metadataKeyCharactersMax) {
    return `the key must have at most ${String(metadataKeyCharactersMax)} characters`;
  }
  if (/[[\]]/.test(key)) return 'the key must not have brackets';
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > metadataValueCharactersMax) {
    return `must have at most ${String(metadataValueCharactersMax)} characters`;
  }
  return undefined;
}
