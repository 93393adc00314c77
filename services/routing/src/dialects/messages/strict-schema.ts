import { isObject } from '@sluice/client-schemas';

const depthMax = 64;
/** The keywords that hold further schemas, within the subset. */
const maps = ['properties', '$defs', 'definitions'];
const lists = ['anyOf'];
/** The keywords of schemas outside of the subset. */
const refused = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'prefixItems',
];

/**
 * Returns true for a schema that OpenAI takes with `strict`: an object, each object in it is closed, and all properties
 * are required. Anthropic takes optional properties, too. A request for OpenAI with them is refused if it is strict.
 */
export function isStrictSchema(schema: Readonly<Record<string, unknown>>): boolean {
  return schema['type'] === 'object' && isStrict(schema, 0);
}

function isStrict(schema: unknown, depth: number): boolean {
  if (!isObject(schema) || depth > depthMax) return false;
  if (refused.some((name) => schema[name] !== undefined)) return false;
  if (describesObject(schema) && !isClosed(schema)) return false;
  const inner = [
    ...maps.flatMap((name) => Object.values(schema[name] ?? {})),
    ...lists.flatMap((name) => Object.values(schema[name] ?? [])),
    ...(schema['items'] === undefined ? [] : [schema['items']]),
  ];
  return inner.every((each) => isStrict(each, depth + 1));
}

function describesObject({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  return types.includes('object') || properties !== undefined;
}

function isClosed(schema: Readonly<Record<string, unknown>>): boolean {
  const { properties, required } = schema;
  const named: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const isRequired = (name: string) => named.has(name);
  return (
    schema['additionalProperties'] === false && Object.keys(properties ?? {}).every(isRequired)
  );
}
