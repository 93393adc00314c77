import { isObject } from './fields.ts';
import {
  anyObject,
  type Check,
  flag,
  inside,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  type Place,
  refuse,
  text,
} from './shape.ts';

/** Notes what makes a value no JSON schema: keywords of the wrong kind, references to nothing. `json` is its text. */
export function checkJsonSchema(root: unknown, json: string, place: Place): void {
  schema(root, place);
  if (json.includes('"$ref"')) checkReferences(root, { root, place });
}

const schema: Check = (value, place) => {
  if (typeof value === 'boolean') return;
  if (!isObject(value)) return refuse(place, 'must be a JSON schema');
  for (const [name, inner] of Object.entries(value))
    keywords.get(name)?.(inner, inside(place, name));
};

const types = oneOf('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const typeOrTypes: Check = (value, place) =>
  Array.isArray(value) ? listOf(types, { min: 1 })(value, place) : types(value, place);

const schemas = listOf(schema, { min: 1 });
const schemaOrList: Check = (value, place) =>
  Array.isArray(value) ? listOf(schema)(value, place) : schema(value, place);
const named = mapOf(schema);

const size = integer(0);
const limit = number(-Number.MAX_VALUE);
const above: Check = (value, place) => {
  limit(value, place);
  if (typeof value === 'number' && value <= 0) refuse(place, 'must be above 0');
};

/** The keywords that are checked. Other keywords may be anything: annotations, and words of other vocabularies. */
const keywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', typeOrTypes],
  ['$ref', text()],
  ['$defs', named],
  ['definitions', named],
  ['properties', named],
  ['patternProperties', named],
  ['dependentSchemas', named],
  ['dependentRequired', mapOf(listOf(text()))],
  ['additionalProperties', schema],
  ['unevaluatedProperties', schema],
  ['propertyNames', schema],
  ['items', schemaOrList],
  ['prefixItems', schemas],
  ['additionalItems', schema],
  ['unevaluatedItems', schema],
  ['contains', schema],
  ['allOf', schemas],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['not', schema],
  ['if', schema],
  ['then', schema],
  ['else', schema],
  ['enum', listOf(() => undefined, { min: 1 })],
  ['required', listOf(text())],
  ['pattern', text()],
  ['format', text()],
  ['title', text()],
  ['description', text()],
  ['minimum', limit],
  ['maximum', limit],
  ['multipleOf', above],
  ['minLength', size],
  ['maxLength', size],
  ['minItems', size],
  ['maxItems', size],
  ['minContains', size],
  ['maxContains', size],
  ['minProperties', size],
  ['maxProperties', size],
  ['uniqueItems', flag],
  ['$vocabulary', anyObject],
]);

interface Referring {
  readonly root: unknown;
  readonly place: Place;
}

/** A reference to a place of the schema itself must lead there; where others lead is not our business. */
function checkReferences(value: unknown, { root, place }: Referring): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = inside(place, name);
    if (name !== '$ref') checkReferences(inner, { root, place: at });
    else if (typeof inner === 'string' && inner.startsWith('#/') && !leadsSomewhere(root, inner))
      refuse(at, 'leads nowhere');
  }
}

function leadsSomewhere(root: unknown, pointer: string): boolean {
  let value: unknown = root;
  for (const word of pointer.slice(2).split('/')) {
    const name = unescaped(word);
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isThere) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return true;
}

function unescaped(word: string): string {
  return decoded(word).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
