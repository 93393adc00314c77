import { Fault } from '@sluice/errors';
import type { App, RouteAuth } from '../app-types.ts';

/** Routes of the contract that nothing stands behind yet: path, methods. */
const management: readonly (readonly [string, readonly string[]])[] = [
  ['/analytics/meta', ['GET']],
  ['/analytics/query', ['POST']],
  ['/byok', ['GET', 'POST']],
  ['/byok/:id', ['GET', 'PATCH', 'DELETE']],
  ['/end-users', ['GET', 'POST']],
  ['/end-users/:user', ['GET', 'PATCH', 'DELETE']],
  ['/guardrails', ['GET', 'POST']],
  ['/guardrails/:id', ['GET', 'PATCH', 'DELETE']],
  ['/guardrails/:id/assignments/keys', ['GET', 'POST']],
  ['/guardrails/:id/assignments/keys/remove', ['POST']],
  ['/guardrails/:id/assignments/members', ['GET', 'POST']],
  ['/guardrails/:id/assignments/members/remove', ['POST']],
  ['/guardrails/assignments/keys', ['GET']],
  ['/guardrails/assignments/members', ['GET']],
  ['/observability/destinations', ['GET', 'POST']],
  ['/observability/destinations/:id', ['GET', 'PATCH', 'DELETE']],
  ['/organization/members', ['GET']],
  ['/organization/settings', ['GET', 'PATCH']],
  ['/private-endpoints', ['GET', 'POST']],
  ['/private-endpoints/:id', ['GET', 'PATCH', 'DELETE']],
  ['/private-endpoints/:id/activate', ['POST']],
  ['/private-endpoints/:id/disable', ['POST']],
  ['/private-endpoints/:id/enable', ['POST']],
  ['/private-endpoints/:id/pricing', ['PUT']],
  ['/private-endpoints/:id/validate', ['POST']],
  ['/scim/group-mappings', ['GET', 'POST']],
  ['/scim/group-mappings/:id', ['GET', 'PATCH', 'DELETE']],
  ['/scim/groups', ['GET']],
  ['/scim/sync-jobs', ['POST']],
  ['/scim/sync-jobs/:id', ['GET']],
  ['/workspaces', ['GET', 'POST']],
  ['/workspaces/:id', ['GET', 'PATCH', 'DELETE']],
  ['/workspaces/:id/budgets', ['GET']],
  ['/workspaces/:id/budgets/:interval', ['GET', 'PUT', 'DELETE']],
  ['/workspaces/:id/members', ['GET']],
  ['/workspaces/:id/members/add', ['POST']],
  ['/workspaces/:id/members/remove', ['POST']],
];

const anyKey: typeof management = [['/generation/content', ['GET']]];

/** They are guarded like the built ones, and say plainly that they are not. */
export function notBuiltRoutes(app: App): void {
  const register = (table: typeof management, auth: RouteAuth) => {
    for (const [path, methods] of table)
      app.route({
        method: [...methods],
        url: `/v1${path}`,
        config: { auth },
        handler: (request) => {
          throw new Fault('not_implemented', {
            message: `${request.method} ${path} is not built yet`,
          });
        },
      });
  };
  register(management, 'management');
  register(anyKey, 'any');
}
