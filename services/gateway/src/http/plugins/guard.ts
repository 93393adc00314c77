import { ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { routeAuths, type App, type RouteAuth } from '../app-types.ts';

export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly auth: RouteAuth;
}

/**
 * Lets each kind of key do its own job only. Answers the list of routes, which fills as they are
 * registered; a route that does not declare whom it serves cannot be registered.
 */
export function guard(app: App): readonly GuardedRoute[] {
  const routes: GuardedRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const auth = config?.auth;
    ok(auth && routeAuths.includes(auth), `the route ${String(method)} ${url} declares no auth`);
    for (const one of [method].flat()) routes.push({ method: one, url, auth });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw new Fault('not_found');
    const { auth } = request.routeOptions.config;
    const kind = request.caller?.kind;
    if (auth === 'inference' && kind === 'management') throw new Fault('inference_key_required');
    if (auth === 'management' && kind !== 'management') throw new Fault('management_key_required');
    done();
  });
  return routes;
}
