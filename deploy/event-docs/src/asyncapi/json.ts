import { DocumentationProblem } from '../problem.ts';

/** JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}
export type Named = readonly (readonly [string, JsonObject])[];

/** `account id` → `accountId`. */
export function parameterName(words: string): string {
  return words.replaceAll(/ +(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function reference(...path: readonly string[]): JsonObject {
  return { $ref: `#/${path.join('/')}` };
}

export function byName(entries: Named): JsonObject {
  const named = Object.fromEntries(entries);
  if (Object.keys(named).length < entries.length)
    throw new DocumentationProblem(`names are not unique: ${entries.map(([name]) => name).join()}`);
  return named;
}
