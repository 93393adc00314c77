import { STATUS_CODES } from 'node:http';
import type { RouteAuth } from '../caller/caller-facts.ts';
import type { ListedRoute } from '../http/plugins/route-list.ts';
import { idempotencyHeaders } from '../http/schemas/idempotency.ts';
import { allTags, resourceOf } from '../http/routes/resources.ts';
import { isIdempotent } from '../http/routes/statuses.ts';
import { annotated, briefExampleOf, exampleOf, namedComponents, plain } from './annotate.ts';
import type { ErrorFormat } from '@sluice/client-errors';
import { errorHeaders, errorResponseName, errorResponses, errorSchemas } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { queryValueSchema } from './query-values.ts';

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly example?: unknown;
  readonly schema: JsonSchema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

/** An OpenAPI 3.1 document, as far as it is worked on here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The part of the description that all routes share. */
export const generalPart = {
  openapi: '3.1.0',
  info: {
    title: 'Sluice',
    version: '1.0.0',
    summary: 'An inference gateway with exact books.',
    description:
      'One API in front of every model provider, and the management of who may use it for how much. ' +
      'A request carries `Authorization: Bearer <key>`: inference an API key, management a management key.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: allTags,
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'A regular key, `sk-sluice-v1-…`: calls models, and nothing else.',
      },
      managementKey: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'A management key, `mk-sluice-v1-…`: manages its account, and calls no model.',
      },
    },
  },
};

const securityOf: Readonly<Record<RouteAuth, readonly object[]>> = {
  inference: [{ apiKey: [] }],
  management: [{ managementKey: [] }],
  any: [{ apiKey: [] }, { managementKey: [] }],
  public: [{}, { apiKey: [] }, { managementKey: [] }],
};

/** Adds to each operation what its schema does not say: whom it serves, and how it may fail. */
export function describeOperations(
  document: OpenApiDocument,
  routes: readonly ListedRoute[],
): object {
  const byName = new Map(routes.map((route) => [route.operationId, route]));
  const described = ([method, operation]: readonly [string, Operation]) => {
    const route = byName.get(operation.operationId);
    return [method, route === undefined ? operation : describe(operation, route)];
  };
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(described)),
  ]);
  const { securitySchemes } = generalPart.components;
  const components = {
    securitySchemes,
    schemas: {
      ...Object.fromEntries(
        Object.entries(errorSchemas).map(([name, schema]) => [name, annotated(schema)]),
      ),
      ...namedComponents(),
    },
    headers: errorHeaders,
    responses: errorResponses,
  };
  return { ...document, components, paths: Object.fromEntries(paths) };
}

function describe(operation: Operation, route: ListedRoute): object {
  const { method, url, auth, statuses } = route;
  const parameters = (operation.parameters ?? [])
    .filter(({ name }) => name !== idempotencyKey)
    .map(parameterOf);
  if (isIdempotent(method, route)) parameters.push(idempotencyParameter);
  const { requestBody } = operation;
  return {
    ...operation,
    description: descriptionOf(operation, route),
    ...(requestBody && { requestBody: contentOf(requestBody, briefExampleOf) }),
    tags: [resourceOf(url).tag],
    security: securityOf[auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.fromEntries(
      statuses.map((status) => [
        status,
        responseOf(status, route.errorFormat, operation.responses[status]),
      ]),
    ),
  };
}

const keyNeeded: Readonly<Record<RouteAuth, string>> = {
  inference: 'It takes an API key.',
  management: 'It takes a management key.',
  any: 'It takes an API key or a management key.',
  public: 'It needs no key.',
};

const rateNames = {
  inference: 'inference',
  keys: 'the management of keys',
  management: 'the management plane',
  analytics: 'questions about usage, which all keys of the account share',
} as const;

/** Says what a caller needs, beside what the operation does. */
function descriptionOf({ summary }: Operation, route: ListedRoute): string {
  const { method, auth, rate, isOrganizational } = route;
  return [
    `${summary}.`,
    keyNeeded[auth],
    ...(isOrganizational ? ['Only organizations have it.'] : []),
    ...(isIdempotent(method, route)
      ? ['With the same `Idempotency-Key` it is carried out once.']
      : []),
    `It counts against the rate limit of ${rateNames[rate]}.`,
  ].join(' ');
}

const idempotencyKey = 'idempotency-key';
const idempotencyParameter: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description: 'Chosen by the client: a request that is repeated with it is carried out once.',
  example: 'nightly-2026-11-20',
  schema: plain(idempotencyHeaders.properties['idempotency-key']),
};

function parameterOf(parameter: Parameter): Parameter {
  const { schema } = parameter;
  const value = parameter.in === 'query' ? queryValueSchema(schema) : schema;
  return { example: exampleOf(value), ...parameter, schema: value };
}

/** The content of a body, with an example of it. */
function contentOf(body: Content, makeExample: (schema: JsonSchema) => unknown): Content {
  const { content } = body;
  if (content === undefined) return body;
  const media = Object.entries(content).map(([type, one]): [string, MediaType] => {
    const { schema = {}, example } = one;
    const isJson = type === 'application/json' && schema.type !== undefined;
    const withExample = isJson ? { example: example ?? makeExample(schema) } : {};
    return [type, { ...one, schema: annotated(schema), ...withExample }];
  });
  return { ...body, content: Object.fromEntries(media) };
}

function responseOf(status: number, format: ErrorFormat, success: Content = {}): object {
  if (status >= 400) return { $ref: `#/components/responses/${errorResponseName(status, format)}` };
  return { ...contentOf(success, exampleOf), description: STATUS_CODES[status] ?? '' };
}
