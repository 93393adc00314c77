import { type Static, type TSchema, Type } from 'typebox';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface LengthBounds {
  readonly min?: number;
  readonly max?: number;
  /** Completes the sentence "must be …" for a value that the schema refuses. */
  readonly mustBe?: string;
}

/** The bound of every list without its own: far above what a request needs. */
const listItemsMax = 10_000;

/** Adds what the field means, and an example where the schema alone makes no good one. */
export function field<Schema extends TSchema>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  const shown = { description, ...(examples.length > 0 && { examples }) };
  return Type.With(schema, shown) as unknown as Schema;
}

/** A field that may be left out; null leaves it out, too. */
export const optional = <Schema extends TSchema>(
  schema: Schema,
  ...shown: readonly [] | readonly [description: string, ...examples: unknown[]]
) => {
  const [description, ...examples] = shown;
  const left = Type.Optional(Type.Union([schema, Type.Null()]));
  return description === undefined ? left : field(left, description, ...examples);
};

/** The fields `type` and the like: one word, or one of several. */
export const kind = <const Word extends string>(word: Word) =>
  Type.Literal(word, { description: 'The kind of item.' });
export const kindOf = <const Words extends string[]>(...words: Words) =>
  field(oneOf(...words), 'The kind of item.');

/** A string; `max` counts characters. */
export const text = ({ min, max, mustBe }: LengthBounds = {}) =>
  Type.String({
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(mustBe !== undefined && { mustBe }),
  });

export const word = text({ min: 1 });

/** A string of a form that `mustBe` puts into words. */
export const formed = (pattern: string, mustBe: string, example?: string) =>
  Type.String({ pattern, mustBe, ...(example !== undefined && { examples: [example] }) });

export const oneOf = <const Words extends string[]>(...words: Words) =>
  Type.Enum<Words>(words, { type: 'string' });

export const flag = Type.Boolean();

export const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ minimum, maximum });

export const number = (minimum: number, maximum?: number) =>
  Type.Number({ minimum, ...(maximum !== undefined && { maximum }) });

export const listOf = <Item extends TSchema>(item: Item, { min, max }: LengthBounds = {}) =>
  Type.Array(item, {
    ...(min !== undefined && { minItems: min }),
    maxItems: max ?? listItemsMax,
  });

export const anything = Type.Unknown();

export const anyObject = Type.Unsafe<JsonObject>(Type.Object({}));

interface MapBounds {
  readonly maxProperties?: number;
  readonly propertyNames?: TSchema;
}

/** An object of any names with values of one kind. Not a record: the pattern of its names lets a line break pass. */
export const mapOf = <Value extends TSchema>(value: Value, bounds: MapBounds = {}) =>
  Type.Unsafe<Readonly<Record<string, Static<Value>>>>(
    Type.Object({}, { additionalProperties: value, ...bounds }),
  );

/** The keyword of an object that needs one of these fields. */
export const withOneOf = (...names: readonly string[]) => ({
  anyOf: names.map((name) => ({ required: [name], properties: { [name]: word } })),
});
