export type Check = (value: unknown) => boolean;

/** Optional ones may be left out. Any other member makes the object a wrong one. */
export interface Form {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

/** The value of a JSON text; undefined when it is none. What the parser says would repeat the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value as an object of that form; undefined when it is none. */
export function ofForm(
  value: unknown,
  { required, optional = {} }: Form,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const object = value as Record<string, unknown>;
  const isWhole = Object.entries(required).every(
    ([name, check]) => Object.hasOwn(object, name) && check(object[name]),
  );
  const isClean = Object.keys(object).every(
    (name) =>
      Object.hasOwn(required, name) ||
      (Object.hasOwn(optional, name) && optional[name]?.(object[name]) === true),
  );
  return isWhole && isClean ? object : undefined;
}

export const text =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const apiKeyPattern = /^[\x21-\x7e]{1,4096}$/;

/** Returns whether the value can be a header's value, without a line break that starts another header. */
export function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && apiKeyPattern.test(value);
}

/** A name as providers have them; short, and nothing that could change what a URL means. */
export const slug = text(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/);
