import { BadRequest, type JsonObject } from './prompt.ts';

/** Refuses a field that the real API does not know, in its words. */
export function refuseUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  words: (name: string) => string,
): void {
  for (const [name, value] of Object.entries(object))
    if (value !== undefined && !known.has(name)) throw new BadRequest(words(name));
}

export function fieldsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ''));
}
