import type { EngineAdapter } from './adapter.ts';
import type { EngineName } from './search.ts';

interface Keyed {
  readonly name: EngineName;
  readonly key?: { reveal(): string };
}

/** Returns the headers that carry the key. An error of `fetch` would show a key that cannot be in a header. */
export function keyHeaders(
  adapter: Pick<EngineAdapter, 'authorize'>,
  { name, key }: Keyed,
): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  const value = key.reveal();
  if (!/^[\x21-\x7e]+$/u.test(value)) throw new Error(`the key of ${name} is not printable ASCII`);
  return adapter.authorize(value);
}
