import swagger from '@fastify/swagger';
import type { App } from '../app-types.ts';
import { describeOperations, generalPart, type OpenApiDocument } from '../openapi/document.ts';
import type { ListedRoute } from './route-list.ts';

/**
 * Answers the API's description, OpenAPI 3.1, made of the schemas of the routes that are registered
 * after this. It is made when it is first asked for.
 */
export function description(app: App, routes: readonly ListedRoute[]): () => Uint8Array {
  app.register(swagger, { openapi: generalPart, stripBasePath: false });
  let made: Uint8Array | undefined;
  return () => {
    // It is as the plugin makes it of our schemas: a test validates it.
    const document = app.swagger() as unknown as OpenApiDocument;
    made ??= Buffer.from(JSON.stringify(describeOperations(document, routes)));
    return made;
  };
}
