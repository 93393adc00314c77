import fc from 'fast-check';

interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
}

/** Generates any data that a schema of an event describes. Throws on a schema that JSON cannot hold. */
export function arbitraryData(schema: object): fc.Arbitrary<unknown> {
  const { type, enum: values, anyOf, items, properties, required = [] } = schema as SchemaNode;
  if (values) return fc.constantFrom(...values);
  if (anyOf) return fc.oneof(...anyOf.map(arbitraryData));
  if (items) return fc.array(arbitraryData(items));
  if (properties) {
    const fields = Object.entries(properties).map(([name, one]) => [name, arbitraryData(one)]);
    const model = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
    return fc.record(model, { requiredKeys: [...required] });
  }
  const plain = type === undefined ? undefined : plainData[type];
  if (!plain) throw new Error(`no data for a schema of the type ${type}`);
  return plain;
}

const plainData: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.string(),
  boolean: fc.boolean(),
  null: fc.constant(null),
  integer: fc.maxSafeInteger(),
  // JSON writes -0 as 0.
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
};
