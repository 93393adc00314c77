import type { JsonSchema } from './json-schema.ts';

const wholeMax = 999_999_999;
const numberMax = 999_999_999_999_999;

/**
 * The schema of a query parameter, by the pattern of its text. The gateway checks the text, since nothing is coerced.
 * A client gives a number, which is written as such a text.
 */
const numbersByPattern: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  [String.raw`^\d{1,9}$`, { type: 'integer', minimum: 0, maximum: wholeMax } as JsonSchema],
  [String.raw`^[1-9]\d{0,8}$`, { type: 'integer', minimum: 1, maximum: wholeMax } as JsonSchema],
  [String.raw`^(?:[1-9]\d?|100)$`, { type: 'integer', minimum: 1, maximum: 100 } as JsonSchema],
  [
    String.raw`^(?:[1-9]\d{0,2}|1000)$`,
    { type: 'integer', minimum: 1, maximum: 1_000 } as JsonSchema,
  ],
  [
    String.raw`^(?:[1-9]\d{0,3}|10000)$`,
    { type: 'integer', minimum: 1, maximum: 10_000 } as JsonSchema,
  ],
  [
    String.raw`^\d{1,15}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?$`,
    { type: 'number', minimum: 0, maximum: numberMax } as JsonSchema,
  ],
  [
    String.raw`^(?:0(?:\.\d{1,18})?|1(?:\.0{1,18})?)$`,
    { type: 'number', minimum: 0, maximum: 1 } as JsonSchema,
  ],
]);

/** Returns the schema of a query parameter as a client gives it: numbers and truth values are no texts. */
export function queryValueSchema(schema: JsonSchema): JsonSchema {
  const { pattern, enum: choices } = schema;
  if (choices !== undefined && choices.every((choice) => choice === 'true' || choice === 'false'))
    return choices.length === 2 ? { type: 'boolean' } : { type: 'boolean', enum: [true] };
  return (pattern !== undefined && numbersByPattern.get(pattern)) || schema;
}
