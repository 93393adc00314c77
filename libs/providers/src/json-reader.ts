/** A JSON object whose values nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An id or a keyword: 1 to 256 printable ASCII characters, else undefined. */
export function asWord(value: unknown): string | undefined {
  return typeof value === 'string' && wordPattern.test(value) ? value : undefined;
}

const wordPattern = /^[\x21-\x7e]{1,256}$/;

/** A position in a list: a small whole number, else undefined. */
export function asIndex(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < indexMax
    ? value
    : undefined;
}

const indexMax = 1_000_000;

/** The value that a JSON text stands for, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
