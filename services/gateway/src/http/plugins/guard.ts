import { Fault } from '@sluice/errors';
import type { AccountCache } from '../../accounts/account-cache.ts';
import type { App } from '../app-types.ts';

/** Refuses callers that a route does not serve, and serves routes of organizations to organizations alone. */
export function guard(app: App, { accountCache }: { readonly accountCache: AccountCache }): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw new Fault('not_found');
    const { auth, organization, entitlement } = request.route.config;
    const { caller } = request;
    if (caller !== undefined && !caller.permits(request.route.config))
      throw new Fault(auth === 'management' ? 'management_key_required' : 'inference_key_required');
    if (organization !== true || caller === undefined) return done();
    // A personal account and an account without the entitlement get the answer of a path that does not exist.
    has(caller.accountId, entitlement).then(
      (isThere) => done(isThere ? undefined : new Fault('not_found')),
      (error: unknown) => done(error as Error),
    );
  });

  const has = async (accountId: string, entitlement: 'scim' | undefined): Promise<boolean> => {
    if (!(await accountCache.isOrganization(accountId))) return false;
    return entitlement === undefined || (await accountCache.hasScim(accountId));
  };
}
