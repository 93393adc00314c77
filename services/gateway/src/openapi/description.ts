import fastify, { type RouteOptions } from 'fastify';
import type { App } from '../http/app-types.ts';
import { plain } from './annotate.ts';
import { describeOperations, generalPart, type OpenApiDocument } from './document.ts';
import type { ListedRoute } from '../http/plugins/route-list.ts';

/**
 * Answers the API's description, OpenAPI 3.1, made of the schemas of the routes that are registered
 * after this. It is made, and what makes it is loaded, when it is first asked for.
 */
export function description(app: App, routes: readonly ListedRoute[]): () => Promise<Uint8Array> {
  const described: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // Features that are not available yet stay out of the description, so no client is built for them.
    const isBuilt = !(route.config?.errors.includes(501) ?? false);
    if (route.method !== 'HEAD' && isBuilt) described.push(route);
  });
  let made: Promise<Uint8Array> | undefined;
  return async () => {
    try {
      return await (made ??= describe(described, routes));
    } catch (error) {
      // The next one who asks tries again.
      made = undefined;
      throw error;
    }
  };
}

/** Registers the same routes in an app that does not listen, since the plugin sees only later registrations. */
async function describe(
  described: readonly RouteOptions[],
  routes: readonly ListedRoute[],
): Promise<Uint8Array> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, { openapi: generalPart, stripBasePath: false });
  for (const { method, url, schema = {} } of described)
    app.route({ method, url, schema: plain(schema), handler: async () => ({}) });
  await app.ready();
  // It is as the plugin makes it of our schemas: a test validates it.
  const document = app.swagger() as unknown as OpenApiDocument;
  return Buffer.from(JSON.stringify(describeOperations(document, routes)));
}
