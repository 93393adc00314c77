import { isObject } from './prompt.ts';

const depthMax = 8;

/** A value that a JSON schema allows: the same schema always gives the same one. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > depthMax) return {};
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const { enum: choices, anyOf, oneOf } = schema;
  for (const options of [choices])
    if (Array.isArray(options) && options.length > 0) return options[0];
  for (const options of [anyOf, oneOf])
    if (Array.isArray(options) && options.length > 0) return exampleOf(options[0], depth + 1);
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [exampleOf(schema['items'], depth + 1)];
    default:
      return exampleObject(schema['properties'], depth);
  }
}

function exampleObject(properties: unknown, depth: number): object {
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, exampleOf(property, depth + 1)]),
  );
}

/** Returns the value of arguments that a model wrote, or their text if they are no JSON. */
export function writtenValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
