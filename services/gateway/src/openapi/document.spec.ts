import { deepEqual, equal, ok } from 'node:assert/strict';
import { Check } from 'typebox/schema';
import { beforeAll, describe, test } from 'vitest';
import { gatewayWorld } from '../testing/gateway-world.ts';
import type { JsonSchema } from './json-schema.ts';

interface Media {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}
interface Body {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly example?: unknown;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

let document: Document;
let operations: readonly Operation[];

beforeAll(async () => {
  const { request } = await gatewayWorld();
  document = (await request('GET /openapi.json')).json as unknown as Document;
  operations = Object.values(document.paths).flatMap((one) => Object.values(one));
});

/** Every schema with the place where it stands, references not followed. */
function* schemasIn(schema: JsonSchema, at: string): Generator<readonly [string, JsonSchema]> {
  yield [at, schema];
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(one, `${at}.${name}`);
  if (schema.items) yield* schemasIn(schema.items, `${at}[]`);
  for (const one of schema.anyOf ?? []) yield* schemasIn(one, at);
}

function* written(): Generator<readonly [string, Media]> {
  for (const { operationId, requestBody, responses } of operations)
    for (const [part, body] of Object.entries({ body: requestBody, ...responses }))
      for (const [type, media] of Object.entries(body?.content ?? {}))
        yield [`${operationId} ${part} ${type}`, media];
}

function* allSchemas(): Generator<readonly [string, JsonSchema]> {
  for (const [name, schema] of Object.entries(document.components.schemas))
    yield* schemasIn(schema, name);
  for (const [at, { schema }] of written()) if (schema) yield* schemasIn(schema, at);
}

/** With what it refers to in its place. */
function resolved(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (_name, value: JsonSchema) => {
    const name = /^#\/components\/schemas\/(.*)$/.exec(value?.$ref ?? '')?.[1];
    if (name === undefined) return value;
    const { $ref: _, ...beside } = value;
    return { ...resolved(document.components.schemas[name]), ...beside };
  });
  return JSON.parse(text) as JsonSchema;
}

describe('each operation', () => {
  test('has a name of its own, which a client can call it by', () => {
    const names = operations.map(({ operationId }) => operationId);
    deepEqual(
      names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name)),
      [],
    );
    equal(new Set(names).size, names.length);
  });

  test('has a summary and a description', () => {
    const bare = operations.filter(
      ({ summary, description }) => !description.startsWith(`${summary}.`),
    );
    deepEqual(bare, []);
  });

  test('has an example, which its schema accepts, of each JSON that it takes and answers', () => {
    const wrong = [...written()]
      .filter(([at, { schema }]) => at.endsWith('application/json') && schema?.type !== undefined)
      .filter(([, { schema, example }]) => !Check(resolved(schema), example));
    deepEqual(
      wrong.map(([at]) => at),
      [],
    );
  });

  test('has a description and an example of each parameter, which its schema accepts', () => {
    const wrong = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(
          ({ description, example, schema }) =>
            (description ?? '') === '' || !Check(schema, example),
        )
        .map(({ name, example }) => [operationId, name, example]),
    );
    deepEqual(wrong, []);
  });

  test('takes numbers and truth values as such, and no text that stands for them', () => {
    const words = ['word', 'sim/echo', '2026-11-20', '2026-11-20T00:00:00Z', 'daily', 'gen-1'];
    const inQuery = operations.flatMap(({ parameters = [] }) =>
      parameters.filter((one) => one.in === 'query'),
    );
    const isText = ({ schema }: (typeof inQuery)[number]) => schema.type === 'string';
    const disguised = inQuery
      .filter(isText)
      .filter(({ schema }) =>
        ['7', '0.5', 'true'].some(
          (text) => Check(schema, text) && !words.some((word) => Check(schema, word)),
        ),
      )
      .filter(({ schema }) => schema.pattern !== '^[0-9a-f]{64}$');
    deepEqual(
      disguised.map(({ name, schema }) => [name, schema]),
      [],
    );
    ok(inQuery.some(({ schema }) => schema.type === 'integer'));
    ok(inQuery.some(({ schema }) => schema.type === 'number'));
    ok(inQuery.some(({ schema }) => schema.type === 'boolean'));
  });

  test('that is not built is not there', () => {
    const unbuilt = operations.filter(({ responses }) => responses['501'] !== undefined);
    deepEqual(unbuilt, []);
  });
});

describe('each property', () => {
  test('shows what it means, and not the words of a refusal', () => {
    equal(JSON.stringify(document).includes('"mustBe"'), false);
    const refusing = [...allSchemas()].flatMap(([at, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description = '' }]) => /^[a-z0-9]/.test(description))
        .map(([name, { description }]) => [`${at}.${name}`, description]),
    );
    deepEqual(refusing, []);
  });

  test('has a description', () => {
    const bare = [...allSchemas()].flatMap(([at, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description }]) => (description ?? '') === '')
        .map(([name]) => `${at}.${name}`),
    );
    deepEqual(bare, []);
  });

  test('has an example that it accepts', () => {
    const wrong = [...allSchemas()].flatMap(([at, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, one]) => one.examples?.length !== 1 || !Check(resolved(one), one.examples[0]))
        .map(([name, { examples }]) => [`${at}.${name}`, examples]),
    );
    deepEqual(wrong, []);
  });
});

/** Answers that are no resource: counts, proofs, totals, and what stands beside the resource. */
const unnamed = [
  'countModels',
  'deletePrivateEndpoint',
  'getCredits',
  'getGenerationContent',
  'getOrganizationSettings',
  'proveBudget',
  'proveConservation',
  'sendGenerationFeedback',
  'updateOrganizationSettings',
];

describe('the resources', () => {
  test('stand under their names, and each answer refers to them', () => {
    for (const name of ['Key', 'Workspace', 'Guardrail', 'Budget', 'Model', 'Generation'])
      ok(document.components.schemas[name]?.properties, name);
    const inline = operations.filter(({ operationId, responses }) => {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
      const { data } = success?.content?.['application/json']?.schema?.properties ?? {};
      const isInline = (schema: JsonSchema | undefined) => schema?.properties !== undefined;
      return (isInline(data) || isInline(data?.items)) && !unnamed.includes(operationId);
    });
    deepEqual(
      inline.map(({ operationId }) => operationId),
      [],
    );
  });

  test('are all referred to', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    deepEqual(unused, []);
  });
});
