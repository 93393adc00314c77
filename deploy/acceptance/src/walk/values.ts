import { checkerOf, type Schema } from './schema.ts';

/** Values that mean something in the account that is walked, by the name of their field. */
export type KnownValues = Readonly<Record<string, unknown>>;

/** For texts whose pattern cannot be read: one of these fits. */
const texts = [
  'a walk',
  'walk',
  '10',
  'true',
  'f'.repeat(64),
  '2a1fd2b6-6a55-4f0b-9d4e-5a3a1f6b7c8d',
  '2099-01-31T12:00:00Z',
  '2026-11-20',
  'daily',
  'someone@example.com',
  'https://example.com',
  'sim/echo',
  'openai',
  'user_1',
];

/** A value that the schema accepts: with every optional field, or with none. */
export function validValue(
  schema: Schema,
  options: { readonly known: KnownValues; readonly isFull: boolean },
  name = '',
): unknown {
  const given = options.known[name];
  const candidates = [given, schema.example, ...(schema.examples ?? [])];
  const fitting = candidates.find((one) => one !== undefined && checkerOf(schema).accepts(one));
  if (fitting !== undefined && (name !== '' || !options.isFull)) return fitting;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return validValue(schema.anyOf[0] ?? {}, options, name);
  switch (typeOf(schema)) {
    case 'object':
      return validObject(schema, options);
    case 'array': {
      const item = validValue(schema.items ?? {}, options, name);
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => item);
    }
    case 'string':
      return texts.find((text) => checkerOf(schema).accepts(text)) ?? '';
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

function validObject(schema: Schema, options: Parameters<typeof validValue>[1]): object {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {})
    .filter(([member]) => options.isFull || required.has(member))
    .map(([member, one]) => [member, validValue(one, options, member)]);
  return Object.fromEntries(members) as object;
}

export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.[0];
}
