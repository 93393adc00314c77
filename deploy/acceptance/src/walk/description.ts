import type { Reached } from '../http.ts';
import type { Schema } from './schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

/** One operation of the description, with all that it refers to put in. */
export interface Operation {
  /** The method and the path: `POST /v1/keys`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** `apiKey`, `managementKey`; none: also without a key. */
  readonly keys: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Status → what is answered as JSON; undefined where that is said elsewhere or is none. */
  readonly answers: ReadonlyMap<number, Schema | undefined>;
}

interface WrittenOperation {
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads what a running server says of itself. */
export async function readDescription(
  instance: Reached,
): Promise<{ readonly operations: readonly Operation[]; readonly error: Schema }> {
  const response = await fetch(new URL('/openapi.json', instance.bootstrap.base_url));
  const { paths, components } = inlined((await response.json()) as Document);
  const { Error: error, AnthropicError: anthropic } = components.schemas;
  if (error === undefined || anthropic === undefined)
    throw new Error('the description does not say what an error is');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) =>
      operationOf(path, method, written, { error, anthropic }),
    ),
  );
  return { operations, error };
}

const referencePattern = /^#\/components\/schemas\/(.*)$/;

/** Puts what is referred to in the place of the reference. */
function inlined(document: Document): Document {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as { readonly $ref?: unknown };
    const name = typeof $ref === 'string' ? referencePattern.exec($ref)?.[1] : undefined;
    const whole = name === undefined ? value : { ...document.components.schemas[name], ...beside };
    return Object.fromEntries(
      Object.entries(whole).map(([key, one]) => [
        key,
        key === 'properties' ? withoutExamples(inline(one) as Properties) : inline(one),
      ]),
    );
  };
  return inline(document) as Document;
}

type Properties = Readonly<Record<string, Schema>>;

/** Examples of properties are for readers: they name what is not in the account that is walked. */
function withoutExamples(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, { ...property, examples: [] }]),
  );
}

function operationOf(
  path: string,
  methodWritten: string,
  written: WrittenOperation,
  errors: { readonly error: Schema; readonly anthropic: Schema },
): Operation {
  const method = methodWritten.toUpperCase();
  const answers = Object.entries(written.responses).map(([status, answer]) => {
    const error = answer.$ref?.includes('/AnthropicError') ? errors.anthropic : errors.error;
    return [Number(status), answer.$ref === undefined ? jsonOf(answer)?.schema : error] as const;
  });
  const body = jsonOf(written.requestBody ?? {});
  return {
    title: `${method} ${path}`,
    method,
    path,
    keys: written.security.flatMap((one) => Object.keys(one)),
    parameters: (written.parameters ?? []).map(withExample),
    body: body && { ...body.schema, ...(body.example ? { examples: [body.example] } : {}) },
    answers: new Map(answers),
  };
}

function withExample(parameter: Parameter): Parameter {
  const { example, schema } = parameter;
  return example === undefined ? parameter : { ...parameter, schema: { ...schema, example } };
}

function jsonOf({ content }: Content) {
  return content?.['application/json'];
}
