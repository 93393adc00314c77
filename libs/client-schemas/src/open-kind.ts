import { Type, type TSchema } from 'typebox';
import { field, formed } from './fields.ts';
import { openMark, type Schema, wordsOf } from './problems.ts';

/** Stands for every kind that the contract does not name. No value is this word, so that the others narrow. */
type UnknownKind = '~unknown';

/** Returns the words that these kinds have as their `type`. */
export function kindWords(kinds: readonly TSchema[]): ReadonlySet<unknown> {
  return new Set(kinds.flatMap(({ properties }: Schema) => wordsOf(properties?.['type']) ?? []));
}

/** Returns the schema of an object whose `type` none of these kinds has. Its `type` is a short word. */
export function otherThan(kinds: readonly TSchema[]) {
  const words = kindWords(kinds);
  const type = field(
    Type.Refine(
      formed('^[A-Za-z0-9_.:-]{1,64}$', 'the kind'),
      (value) => !words.has(value),
      () => 'is a known kind',
    ),
    'The kind of item.',
    'other',
  );
  const schema = Type.Object({ type }, openMark);
  return Type.Unsafe<{ readonly type: UnknownKind }>(schema);
}
