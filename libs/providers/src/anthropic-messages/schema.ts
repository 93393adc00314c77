import { asObject, type JsonObject } from '../json-reader.ts';

const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);
const plain = new Set(['type', 'enum', 'const', 'title', 'required', '$ref', 'description']);
const unspoken = new Set(['$schema', '$id', 'additionalProperties']);
const depthMax = 64;

/**
 * Converts a schema for the messages API. Objects are closed. Keywords that the API does not support are moved into
 * the description for the model.
 */
export function answerSchema(schema: JsonObject, depth = 0): JsonObject {
  const strict: Record<string, unknown> = {};
  const unsupported: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const known = depth < depthMax ? readKeyword(name, value, depth) : undefined;
    if (known) Object.assign(strict, known);
    else if (!unspoken.has(name)) unsupported.push(`${name}: ${JSON.stringify(value)}`);
  }
  if (schema['type'] === 'object' || schema['properties'] !== undefined)
    Object.assign(strict, { type: 'object', additionalProperties: false });
  if (unsupported.length > 0)
    strict['description'] = [schema['description'], `{${unsupported.join(', ')}}`]
      .filter((text) => typeof text === 'string')
      .join('\n\n');
  return strict;
}

/** Returns the part of a keyword that the API accepts, or undefined if the keyword becomes text. */
function readKeyword(name: string, value: unknown, depth: number): JsonObject | undefined {
  const inner = (each: unknown): unknown => {
    const object = asObject(each);
    return object ? answerSchema(object, depth + 1) : each;
  };
  switch (name) {
    case 'properties':
    case '$defs':
    case 'definitions':
      return { [name]: mapped(value, inner) };
    case 'items':
      return { items: inner(value) };
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? { anyOf: value.map(inner) } : undefined;
    case 'allOf':
      return Array.isArray(value) ? { allOf: value.map(inner) } : undefined;
    case 'format':
      return formats.has(value) ? { format: value } : undefined;
    case 'minItems':
      return value === 0 || value === 1 ? { minItems: value } : undefined;
    default:
      return plain.has(name) ? { [name]: value } : undefined;
  }
}

function mapped(value: unknown, inner: (each: unknown) => unknown): unknown {
  const object = asObject(value);
  if (!object) return value;
  return Object.fromEntries(Object.entries(object).map(([name, each]) => [name, inner(each)]));
}
