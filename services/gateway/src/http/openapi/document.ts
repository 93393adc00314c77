import { STATUS_CODES } from 'node:http';
import type { RouteAuth } from '../app-types.ts';
import type { ListedRoute } from '../plugins/route-list.ts';
import { idempotencyHeaders } from '../schemas/idempotency.ts';
import { allTags, resourceOf } from '../resources.ts';
import { isIdempotent } from '../statuses.ts';
import { errorHeaders, errorResponseName, errorResponses, errorSchema } from './errors.ts';

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** An OpenAPI 3.1 document, as far as it is worked on here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What holds for all routes. */
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
    schemas: { Error: errorSchema },
    headers: errorHeaders,
    responses: errorResponses,
  };
  return { ...document, components, paths: Object.fromEntries(paths) };
}

function describe(operation: Operation, route: ListedRoute): object {
  const { method, url, auth, statuses } = route;
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== idempotencyKey);
  if (isIdempotent(method, route)) parameters.push(idempotencyParameter);
  return {
    ...operation,
    tags: [resourceOf(url).tag],
    security: securityOf[auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.fromEntries(
      statuses.map((status) => [status, responseOf(status, operation.responses[status])]),
    ),
  };
}

const idempotencyKey = 'idempotency-key';
const idempotencyParameter = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description: 'Chosen by the client: a request that is repeated with it is carried out once.',
  schema: idempotencyHeaders.properties['idempotency-key'],
};

function responseOf(status: number, success: Operation['responses'][string] | undefined): object {
  if (status >= 400) return { $ref: `#/components/responses/${errorResponseName(status)}` };
  return { ...success, description: STATUS_CODES[status] ?? '' };
}
