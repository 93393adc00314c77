import type { FastifySchema } from 'fastify';
import type { App } from '../app-types.ts';

/**
 * Drops the query fields that a route does not describe, where the route says so: clients add their own to the lists
 * of models (contract inference.md 25.1). Everywhere else an unknown field is a 400.
 */
export function knownQuery(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.unknownQuery !== 'ignored') return;
    const known = namesOf(route.schema?.querystring);
    route.preValidation = (request, _reply, done) => {
      const given = Object.entries(request.query as Readonly<Record<string, unknown>>);
      request.query = Object.fromEntries(given.filter(([name]) => known.has(name)));
      done();
    };
  });
}

function namesOf(schema: FastifySchema['querystring']): ReadonlySet<string> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: object };
  return new Set(Object.keys(properties));
}
