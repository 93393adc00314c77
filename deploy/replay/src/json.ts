export type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Parses a text that must be an object. undefined: it is none. */
export function parsed(content: string): Json | undefined {
  if (!content.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(content) as Json;
  } catch {
    return undefined;
  }
}
