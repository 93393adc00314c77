import { Fault } from '@sluice/errors';
import { Type } from 'typebox';
import type { RouteAuth } from '../../caller/caller-facts.ts';
import type { App } from '../app-types.ts';

/** Routes of the contract that nothing stands behind yet: path, methods. */
const management: readonly (readonly [string, readonly string[]])[] = [
  ['/observability/destinations', ['GET', 'POST']],
  ['/observability/destinations/:id', ['GET', 'PATCH', 'DELETE']],
];

/** They are guarded like the built ones, and say plainly that they are not. */
export function notBuiltRoutes(app: App): void {
  for (const [path, methods] of management)
    for (const method of methods) notBuilt(app, { method, path, auth: 'management' });
}

interface NotBuilt {
  readonly method: string;
  readonly path: string;
  readonly auth: RouteAuth;
}

function notBuilt(app: App, { method, path, auth }: NotBuilt): void {
  const words = path.split(/\W+/).filter((word) => word !== '');
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()]);
  app.route({
    method,
    url: `/v1${path}`,
    config: { auth, errors: [501] },
    schema: {
      operationId: [method.toLowerCase(), ...words].join('_'),
      summary: 'Not built yet',
      ...(parameters.length === 0 ? {} : { params: Type.Object(Object.fromEntries(parameters)) }),
    },
    handler: () => {
      throw new Fault('not_implemented', { message: `${method} ${path} is not built yet` });
    },
  });
}
