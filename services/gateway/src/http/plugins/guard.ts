import { Fault } from '@sluice/errors';
import type { AccountCache } from '../../accounts/account-cache.ts';
import type { App } from '../app-types.ts';

/** Lets each kind of key do its own job only, and organizations alone to what only they have. */
export function guard(app: App, { accountCache }: { readonly accountCache: AccountCache }): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw new Fault('not_found');
    const { auth, organization, entitlement } = request.route.config;
    const { caller } = request;
    const kind = caller?.kind;
    if (auth === 'inference' && kind === 'management') throw new Fault('inference_key_required');
    if (auth === 'management' && kind !== 'management') throw new Fault('management_key_required');
    if (organization !== true || caller === undefined) return done();
    // To a personal account, and to one that may not have it, there is no such thing.
    has(caller.principal.accountId, entitlement).then(
      (isThere) => done(isThere ? undefined : new Fault('not_found')),
      (error: unknown) => done(error as Error),
    );
  });

  const has = async (accountId: string, entitlement: 'scim' | undefined): Promise<boolean> => {
    if (!(await accountCache.isOrganization(accountId))) return false;
    return entitlement === undefined || (await accountCache.hasScim(accountId));
  };
}
