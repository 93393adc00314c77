import type { Fields } from './fields.ts';

/** A field that is a list of strings that are not empty; undefined when it is absent or bad. */
export function strings(
  fields: Fields,
  name: string,
  { countMax, charactersMax }: { readonly countMax: number; readonly charactersMax: number },
): readonly string[] | undefined {
  const array = fields.array(name, countMax);
  if (!array) return undefined;
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= charactersMax;
  const wrong = array.findIndex((value) => !isText(value));
  if (wrong >= 0)
    return fields.refuse(`${name}[${String(wrong)}]`, 'must be a string that is not empty');
  return array.filter(isText);
}
