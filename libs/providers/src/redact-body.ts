import { parseExactJson } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';

const textCharactersMax = 16_384;
const bodyCharactersMax = 1024 * 1024;

/**
 * Returns the body of an upstream request for the client: without the key of the endpoint, and bounded. Long texts,
 * such as images, are cut. If the body is still too long, only its size is returned.
 */
export function redactBody({ apiKey }: Endpoint, body: unknown): Readonly<Record<string, unknown>> {
  const key = apiKey?.reveal() ?? '';
  const text = JSON.stringify(body, (_name, value: unknown) => redactValue(value, key));
  if (text.length > bodyCharactersMax) return { left_out_characters: text.length };
  return parseExactJson(text) as Readonly<Record<string, unknown>>;
}

function redactValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return shortened(withoutKey(value.toWellFormed(), key));
  if (key === '' || !hasKeyInNames(value, key)) return value;
  const named = Object.entries(value).map(([name, each]) => [withoutKey(name, key), each] as const);
  return Object.fromEntries(named);
}

function hasKeyInNames(value: unknown, key: string): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).some((name) => name.includes(key));
}

function withoutKey(text: string, key: string): string {
  return key === '' ? text : text.replaceAll(key, '[left out]');
}

function shortened(text: string): string {
  if (text.length <= textCharactersMax) return text;
  const rest = text.length - textCharactersMax;
  return `${text.slice(0, textCharactersMax)}[${String(rest)} characters left out]`;
}
