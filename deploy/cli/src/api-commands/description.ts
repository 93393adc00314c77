/** The part of an OpenAPI 3.1 document that commands are made from. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

export interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly writeOnly?: boolean;
}

const referencePrefix = '#/components/schemas/';

/** Returns the name of a schema that is a reference; undefined: it is none. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(referencePrefix) ? $ref.slice(referencePrefix.length) : undefined;
}

/** Puts the schema that a reference names in its place; the description beside the reference stays. */
export function resolved(schema: Schema, { components }: Description): Schema {
  const name = nameOf(schema);
  const { $ref: _reference, ...beside } = schema;
  return name === undefined ? schema : { ...components.schemas[name], ...beside };
}

export function jsonSchemaOf({ content }: Content = {}): Schema | undefined {
  return content?.['application/json']?.schema;
}
