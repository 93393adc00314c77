import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  anyObject,
  anything,
  flag,
  integer,
  isObject,
  type JsonObject,
  listOf,
  mapOf,
  oneOf,
  text,
} from './fields.ts';
import { type Problem, problemsOf } from './problems.ts';

const type = oneOf('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const atLeastOne = listOf(anything, { min: 1 });
const size = integer(0);

/** Keywords by the shape of their value: a map of schemas, a list of them, or one. */
const mapWords = ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'];
const listWords = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
const singleWords = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
];

const all = <Value>(names: readonly string[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value]));

/** One level of a schema. Other keywords may be anything: annotations, and words of other vocabularies. */
const level = Type.Partial(
  Type.Object({
    type: Type.Union([type, listOf(type, { min: 1 })]),
    ...all(['$ref', 'pattern', 'format', 'title', 'description'], text()),
    ...all([...mapWords, '$vocabulary'], anyObject),
    ...all([...listWords, 'enum'], atLeastOne),
    dependentRequired: mapOf(listOf(text())),
    required: listOf(text()),
    ...all(['minimum', 'maximum'], Type.Number()),
    multipleOf: Type.Number({ exclusiveMinimum: 0, mustBe: 'a number above 0' }),
    ...all(['minLength', 'maxLength', 'minItems', 'maxItems'], size),
    ...all(['minContains', 'maxContains', 'minProperties', 'maxProperties'], size),
    uniqueItems: flag,
  }),
);
const compiled = Compile(level);

/**
 * Lists what makes a value no JSON schema: keywords of the wrong kind, and references to a place of the schema that is
 * not there. At most `max` problems.
 */
export function jsonSchemaProblems(
  root: unknown,
  { path, max }: { readonly path: string; readonly max: number },
): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (...found: readonly Problem[]) => problems.push(...found);
  visit(root, path, (value, at) => {
    if (problems.length >= max || typeof value === 'boolean') return;
    if (!isObject(value)) return void add({ path: at, message: 'must be a JSON schema' });
    if (!compiled.Check(value)) add(...levelProblems(value, at, max));
    const reference = (value as JsonObject)['$ref'];
    if (typeof reference === 'string' && reference.startsWith('#/') && !leads(root, reference))
      add({ path: `${at}.$ref`, message: 'leads nowhere' });
  });
  return problems.slice(0, max);
}

function levelProblems(value: JsonObject, path: string, max: number): readonly Problem[] {
  const found = problemsOf(level, value, { path, max });
  return found.length > 0 ? found : [{ path, message: 'must be a JSON schema' }];
}

/** Calls back for a schema and every one inside it. */
function visit(schema: unknown, path: string, look: (value: unknown, path: string) => void): void {
  look(schema, path);
  if (!isObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    const at = `${path}.${name}`;
    if (listWords.includes(name) || (name === 'items' && Array.isArray(value)))
      for (const [index, one] of (Array.isArray(value) ? value : []).entries())
        visit(one, `${at}[${String(index)}]`, look);
    else if (singleWords.includes(name) || name === 'items') visit(value, at, look);
    else if (mapWords.includes(name) && isObject(value))
      for (const [inner, one] of Object.entries(value)) visit(one, `${at}.${inner}`, look);
  }
}

/** True if the pointer names a place of the schema. */
function leads(root: unknown, pointer: string): boolean {
  let value: unknown = root;
  for (const escaped of pointer.slice(2).split('/')) {
    const name = decoded(escaped).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as JsonObject)[name];
  }
  return true;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
