import type { TSchema } from 'typebox';
import { isObject } from './fields.ts';
import { branchesOf, isOpen, type Schema, wordsOf } from './problems.ts';
import { isServerTool } from './server-tools/index.ts';

/** The fields that a schema knows at one place. */
export interface KnownFields {
  /** Absent: the value has no fields, or may have any. */
  readonly names?: ReadonlyMap<string, KnownFields>;
  readonly items?: KnownFields;
  /** The names by the `type` of an object, or by the `id` of a plugin. They stand before `names`. */
  readonly kinds?: ReadonlyMap<unknown, ReadonlyMap<string, KnownFields>>;
}

/** A field that no schema knows, with the names that stand at its place. */
export interface UnknownField {
  readonly path: string;
  readonly name: string;
  readonly known: ReadonlyMap<string, KnownFields>;
}

const any: KnownFields = {};

/** Returns the fields that the schema of a body knows. Fields inside those in `leaves` and `more` may be any. */
export function knownFieldsOf(
  schema: TSchema,
  leaves: readonly string[],
  more: readonly string[] = [],
): KnownFields {
  const { names = [] } = fieldsOf(schema);
  const whole = [...leaves, ...more, ...keptWhole].map((name) => [name, any] as const);
  const known = new Map([...names, ...whole]);
  const tools = known.get('tools')?.items?.kinds;
  if (tools) known.set('tools', { items: { kinds: new Map([...tools].filter(isRead)) } });
  return { names: known };
}

/** Fields of a body that are kept or sent as they are, with names of the client. */
const keptWhole: readonly string[] = ['trace', 'image_config', 'prediction', 'prompt'];

/** A hosted tool goes on as it is, with all of its fields. The service reads those of its own tools. */
const kindsOfClient: readonly unknown[] = [undefined, 'function', 'custom', 'namespace'];

function isRead([kind]: readonly [unknown, unknown]): boolean {
  return kindsOfClient.includes(kind) || isServerTool(kind);
}

function fieldsOf(schema: Schema): KnownFields {
  const branches = branchesOf(schema).filter(({ type }) => type !== 'null');
  const isAnything = branches.some((one) => isOpen(one) || mayBeAny(one));
  const objects = branches.filter(
    (one) => !isOpen(one) && Object.keys(one.properties ?? {}).length > 0,
  );
  const lists = branches.flatMap(({ items }) => (items ? [fieldsOf(items)] : []));
  const [items] = lists;
  return {
    ...(items && lists.length === 1 && { items }),
    ...(isAnything ? kindsOf(objects) : namesOf(objects)),
  };
}

/** Returns true for a value whose fields are the client's own. */
function mayBeAny(schema: Schema): boolean {
  const { type, properties, additionalProperties: others, items, anyOf, enum: words } = schema;
  const { const: word } = schema;
  if (properties) return Object.keys(properties).length === 0 || isObject(others);
  return type === undefined && !items && !anyOf && !words && word === undefined;
}

function namesOf(objects: readonly Schema[]): KnownFields {
  if (objects.length === 0) return any;
  const all = new Map<string, KnownFields>();
  for (const { properties = {} } of objects)
    for (const [name, property] of Object.entries(properties)) {
      const earlier = all.get(name);
      all.set(name, earlier ? merged(earlier, fieldsOf(property)) : fieldsOf(property));
    }
  return { names: all, ...(objects.length > 1 && kindsOf(objects)) };
}

/** Two kinds may have a field of one name. Where they differ, it may be any. */
function merged(one: KnownFields, other: KnownFields): KnownFields {
  return Object.keys(one).length === 0 || Object.keys(other).length === 0 ? any : one;
}

function kindsOf(objects: readonly Schema[]): KnownFields {
  const kinds = new Map<unknown, ReadonlyMap<string, KnownFields>>();
  for (const object of objects) {
    const { names } = namesOf([object]);
    const field = kindField(object);
    const words = wordsOf(object.properties?.[field]);
    if (!names || !words) continue;
    // A kind that may do without its name is the usual one.
    const isUsual = object.required?.includes(field) !== true;
    for (const word of isUsual ? [...words, undefined] : words)
      kinds.set(word, new Map([...names, ...(kinds.get(word) ?? [])]));
  }
  return kinds.size > 0 ? { kinds } : any;
}

/** Plugins have their kind in `id`, and no `type`. */
function kindField({ properties = {} }: Schema): 'type' | 'id' {
  return 'type' in properties ? 'type' : 'id';
}

/** Calls back for the fields of a valid value that its schema does not know, in the order of the value. */
export function eachUnknownField(
  value: unknown,
  known: KnownFields,
  found: (field: UnknownField) => void,
  path = '',
): void {
  if (Array.isArray(value)) {
    if (known.items)
      for (const [index, item] of value.entries())
        eachUnknownField(item, known.items, found, `${path}[${String(index)}]`);
    return;
  }
  if (!isObject(value)) return;
  const { kinds } = known;
  const kind = value['type'] ?? undefined;
  const plugin = kind === undefined ? value['id'] : undefined;
  const ofPlugin = plugin === undefined ? undefined : kinds?.get(plugin);
  const names = kinds?.get(kind) ?? ofPlugin ?? known.names;
  if (!names) return;
  for (const name in value) {
    const inner = names.get(name);
    if (!inner) found({ path, name, known: names });
    else if (inner !== any && typeof value[name] === 'object')
      eachUnknownField(value[name], inner, found, path === '' ? name : `${path}.${name}`);
  }
}
