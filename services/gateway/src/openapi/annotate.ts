import type { JsonSchema } from './json-schema.ts';
import { namedSchemas } from './named-schemas.ts';

const referencePrefix = '#/components/schemas/';

const plainSchemas = Object.entries(namedSchemas).map(
  ([name, schema]) => [name, plain(schema)] as const,
);
/** The name of a schema by its text. */
const nameBySchema = new Map(plainSchemas.map(([name, schema]) => [fingerprint(schema), name]));

/** Returns the schema as JSON, for readers: without the words of refusals, and with records as OpenAPI writes them. */
export function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
    const { mustBe, ruleField, patternProperties, ...rest } = Object(value) as Readonly<
      Record<string, unknown>
    >;
    const { '^.*$': any } = Object(patternProperties) as Readonly<Record<string, unknown>>;
    if (any !== undefined) return { ...rest, additionalProperties: any };
    return typeof mustBe === 'string' || typeof ruleField === 'string' ? rest : value;
  }) as JsonSchema;
}

/** Returns the schema as text, without what the plugin that collects the routes writes in another way. */
function fingerprint(schema: JsonSchema): string {
  return JSON.stringify(withoutWords(schema), (_name, value: JsonSchema | undefined) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { examples: _examples, const: only, ...rest } = value;
    const entries = Object.entries(only === undefined ? rest : { ...rest, enum: [only] });
    return Object.fromEntries(
      entries.filter(([key]) => key !== 'example').toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });
}

function withoutWords({ description: _description, examples: _examples, ...schema }: JsonSchema) {
  return schema;
}

/** Returns every named schema, with references to others. */
export function namedComponents(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(plainSchemas.map(([name, schema]) => [name, annotatedParts(schema)]));
}

/** Puts a reference in the place of each resource, and an example into each property. */
export function annotated(schema: JsonSchema): JsonSchema {
  const name = nameBySchema.get(fingerprint(schema));
  return name === undefined ? annotatedParts(schema) : { $ref: `${referencePrefix}${name}` };
}

function annotatedParts(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const shown = properties && mapped(properties, annotatedProperty);
  return {
    ...schema,
    ...(shown && { properties: shown }),
    ...(items && { items: annotated(items) }),
    ...(anyOf && { anyOf: anyOf.map((one) => (shown ? demanded(one, shown) : annotated(one))) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: annotated(additionalProperties),
    }),
  };
}

type Properties = NonNullable<JsonSchema['properties']>;

function mapped(
  properties: Properties,
  change: (schema: JsonSchema, name: string) => JsonSchema,
): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, change(schema, name)]),
  );
}

/** Returns the branch of an object that demands one of its fields, with the words of the field. */
function demanded(branch: JsonSchema, shown: Properties): JsonSchema {
  const withWords = (schema: JsonSchema, name: string) => {
    const { description = '', examples = [] } = shown[name] ?? {};
    return { ...schema, description, examples };
  };
  return { ...branch, properties: mapped(branch.properties ?? {}, withWords) };
}

/** A union of a field and null has the words of the field. */
function annotatedProperty(schema: JsonSchema): JsonSchema {
  const description = descriptionOf(schema);
  const anyOf = schema.anyOf?.map((one) =>
    one.description === description ? withoutWords(one) : one,
  );
  return {
    ...annotated({ ...schema, ...(anyOf && { anyOf }) }),
    ...(description === undefined ? {} : { description }),
    examples: [exampleOf(schema)],
  };
}

export function descriptionOf({ description, anyOf = [] }: JsonSchema): string | undefined {
  return description ?? anyOf.find((one) => one.description)?.description;
}

/** Returns the example of the schema, or one that is composed of those of its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples } = schema;
  return examples === undefined ? composed(schema) : examples[0];
}

/** Returns an example with the required properties, or with one property if none is required. */
export function briefExampleOf(schema: JsonSchema): unknown {
  const { properties = {}, required = Object.keys(properties).slice(0, 1) } = schema;
  const names = new Set(required);
  const needed = Object.entries(properties).filter(([name]) => names.has(name));
  return exampleOf({ ...schema, properties: Object.fromEntries(needed) });
}

function composed(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf && !schema.properties) return exampleOf(schema.anyOf[0] ?? {});
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, exampleOf(one)]),
      );
    case 'array':
      return [exampleOf(schema.items ?? {})];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'string':
      return 'text';
    default:
      return null;
  }
}
