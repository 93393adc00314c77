import { Check } from 'typebox/schema';
import type { JsonSchema } from './json-schema.ts';
import { namedSchemas } from './named-schemas.ts';
import { propertyTexts } from './property-texts.ts';

const referencePrefix = '#/components/schemas/';

const plainSchemas = Object.entries(namedSchemas).map(
  ([name, schema]) => [name, plain(schema)] as const,
);
/** The name of a schema by what it says. */
const nameBySchema = new Map(plainSchemas.map(([name, schema]) => [fingerprint(schema), name]));

/** The schema as JSON, a record of any names as OpenAPI writes it. */
function plain(schema: object): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"mustBe":', '"description":');
  return JSON.parse(text, (_name, value: unknown) => {
    const { patternProperties, ...rest } = Object(value) as Readonly<Record<string, unknown>>;
    const { '^.*$': any } = Object(patternProperties) as Readonly<Record<string, unknown>>;
    return any === undefined ? value : { ...rest, additionalProperties: any };
  }) as JsonSchema;
}

/** The schema as text, without what the plugin that collects the routes writes in another way. */
function fingerprint(schema: JsonSchema): string {
  return JSON.stringify(schema, (_name, value: JsonSchema | undefined) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { examples: _examples, const: only, ...rest } = value;
    const entries = Object.entries(only === undefined ? rest : { ...rest, enum: [only] });
    return Object.fromEntries(
      entries.filter(([key]) => key !== 'example').toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });
}

/** Every named schema, with descriptions and examples, and references to others. */
export function namedComponents(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(plainSchemas.map(([name, schema]) => [name, annotatedParts(schema)]));
}

/** Puts a reference in the place of each resource, and says of each property what it means. */
export function annotated(schema: JsonSchema): JsonSchema {
  const name = nameBySchema.get(fingerprint(schema));
  return name === undefined ? annotatedParts(schema) : { $ref: `${referencePrefix}${name}` };
}

function annotatedParts(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, describedAs(name, property)]),
      ),
    }),
    ...(items && { items: annotated(items) }),
    ...(anyOf && { anyOf: anyOf.map(annotated) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: annotated(additionalProperties),
    }),
  };
}

/** A property, or a parameter, with a description and an example. */
export function describedAs(name: string, schema: JsonSchema): JsonSchema {
  const [general] = propertyTexts.get(name) ?? [];
  const own = schema.description ?? schema.anyOf?.find((one) => one.description)?.description;
  const description = own ?? general;
  return {
    ...annotated(schema),
    ...(description === undefined ? {} : { description }),
    examples: [exampleOf(schema, name)],
  };
}

/** A value that the schema accepts; that of its name where there is one. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const [, known] = propertyTexts.get(name) ?? [];
  const isComposed = schema.properties !== undefined || schema.items?.properties !== undefined;
  const candidates = [...(schema.examples ?? []), ...(isComposed ? [] : [known])];
  const fitting = candidates.find((value) => value !== undefined && Check(schema, value));
  return fitting ?? composed(schema, name);
}

/** Returns an example with the required properties, or with one property if none is required. */
export function briefExampleOf(schema: JsonSchema): unknown {
  const { properties = {}, required = Object.keys(properties).slice(0, 1) } = schema;
  const names = new Set(required);
  const needed = Object.entries(properties).filter(([name]) => names.has(name));
  return exampleOf({ ...schema, properties: Object.fromEntries(needed) });
}

function composed(schema: JsonSchema, name: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf && !schema.properties) return exampleOf(schema.anyOf[0] ?? {}, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, one]) => [
          member,
          exampleOf(one, member),
        ]),
      );
    case 'array':
      return [exampleOf(schema.items ?? {}, name)];
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
