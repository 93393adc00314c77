import { ok } from 'node:assert/strict';
import type { ErrorFormat } from '@sluice/client-errors';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type RouteAuth, routeAuths } from '../../caller/caller-facts.ts';
import { rateOf, type App, type RouteRate } from '../app-types.ts';
import { hasBody, statusesOf, successesOf } from '../routes/statuses.ts';

export interface ListedRoute {
  readonly method: string;
  readonly url: string;
  readonly operationId: string;
  readonly auth: RouteAuth;
  readonly rate: RouteRate;
  /** Only organizations have it. */
  readonly isOrganizational: boolean;
  readonly errorFormat: ErrorFormat;
  /** Every status it may answer with, in order. */
  readonly statuses: readonly number[];
}

/**
 * The list of routes, which fills as they are registered. A HEAD comes with each GET and is not listed.
 * A route that does not declare whom it serves, what it takes and what it answers cannot be registered.
 */
export function routeList(app: App): readonly ListedRoute[] {
  const routes: ListedRoute[] = [];
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat())
      if (method !== 'HEAD') routes.push(listed(method, route));
  });
  return routes;
}

function listed(method: string, { url, config, schema = {} }: RouteOptions): ListedRoute {
  const declares = (value: unknown, what: string) =>
    ok(value, `the route ${method} ${url} declares no ${what}`);
  declares(config?.auth && routeAuths.includes(config.auth), 'auth');
  ok(config);
  const { auth, errors, body } = config;
  declares(errors, 'errors');
  const { operationId = '', summary = '' } = schema;
  declares(operationId, 'operationId');
  declares(summary, 'summary');
  declares(errors.includes(501) || successesOf(schema.response).length > 0, 'response');
  for (const [, name = ''] of url.matchAll(/:(\w+)/g))
    declares(membersOf(schema.params).includes(name), `parameter ${name}`);
  const saysNothing = body !== undefined || errors.includes(501);
  declares(!hasBody(method) || saysNothing || schema.body, 'body');
  declares(body === 'raw' || isClosed(schema.body), 'additionalProperties: false of its body');
  declares(isClosed(schema.querystring), 'additionalProperties: false of its query');
  const statuses = statusesOf(method, config, schema);
  const isOrganizational = config.organization === true;
  const { errorFormat = 'service' } = config;
  return {
    method,
    url,
    operationId,
    auth,
    rate: rateOf(config),
    isOrganizational,
    errorFormat,
    statuses,
  };
}

interface ObjectSchema {
  readonly type?: string;
  readonly properties?: object;
  readonly additionalProperties?: unknown;
}

function membersOf(schema: FastifySchema['params']): readonly string[] {
  return Object.keys((schema as ObjectSchema | undefined)?.properties ?? {});
}

/** Unknown fields are refused: an object must say so. */
function isClosed(schema: FastifySchema['body']): boolean {
  const { type, additionalProperties } = (schema ?? {}) as ObjectSchema;
  return type !== 'object' || additionalProperties === false;
}
