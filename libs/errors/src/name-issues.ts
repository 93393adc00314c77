import type { Issue } from './issue.ts';

/** PostgreSQL holds no zero byte, terminals obey the other control characters, and half a pair is no text. */
const unwritable = /[\p{Cc}\p{Cs}]/u;

/** Returns the problems of a name that a person gives to a thing. Characters are counted as people count them. */
export function nameIssues(path: string, name: string, charactersMax: number): readonly Issue[] {
  const message = problemOf(name, charactersMax);
  return message === undefined ? [] : [{ path, message }];
}

function problemOf(name: string, charactersMax: number): string | undefined {
  // No character has more than two UTF-16 units: a text that is far too long is not counted.
  const isTooLong = name.length > 2 * charactersMax || Array.from(name).length > charactersMax;
  if (name.trim() === '' || isTooLong)
    return `must have 1 to ${String(charactersMax)} characters, not only spaces`;
  return unwritable.test(name) ? 'must not have control characters' : undefined;
}
