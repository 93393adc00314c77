/** Notes a problem: the public name of the field and the expected value. */
export type Refuse = (path: string, message: string) => void;

/** The value as one of those; null and a note when it is none of them. */
export function oneOf<T extends string>(
  values: readonly T[],
  given: string,
  path: string,
  refuse: Refuse,
): T | null {
  const found = values.find((value) => value === given);
  if (found === undefined) refuse(path, `must be one of ${values.join(', ')}`);
  return found ?? null;
}

/** The same for a value that may be absent, or null for none. */
export function oneOfOrNull<T extends string>(
  values: readonly T[],
  given: string | null | undefined,
  path: string,
  refuse: Refuse,
): T | null | undefined {
  return typeof given === 'string' ? oneOf(values, given, path, refuse) : given;
}
