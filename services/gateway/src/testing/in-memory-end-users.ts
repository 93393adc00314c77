import { Fault } from '@sluice/errors';
import type { EndUser } from '@sluice/protos/sluice/account/v1/end_user';
import type { Clock } from '@sluice/clock-and-ids';
import type { EndUserCalls } from '../clients/calls.ts';

/** The account service's calls about end users over a map. */
export function inMemoryEndUsers(clock: Clock): EndUserCalls {
  const endUsers = new Map<string, EndUser>();
  const idOf = (accountId: string, user: string) => JSON.stringify([accountId, user]);
  const own = (accountId: string, user: string): EndUser => {
    const endUser = endUsers.get(idOf(accountId, user));
    if (!endUser) throw new Fault('not_found');
    return endUser;
  };
  const put = (accountId: string, endUser: EndUser) => {
    endUsers.set(idOf(accountId, endUser.user), endUser);
    return { endUser };
  };
  const setActive = (accountId: string, user: string, isActive: boolean) =>
    put(accountId, { ...own(accountId, user), isActive, updatedAt: clock.now().toISOString() });
  return {
    async registerEndUser({ context, user }) {
      const { accountId = '' } = context ?? {};
      if (endUsers.has(idOf(accountId, user))) throw new Fault('conflict');
      const createdAt = clock.now().toISOString();
      return put(accountId, { user, isActive: true, createdAt, updatedAt: createdAt });
    },
    getEndUser: async ({ accountId, user }) => ({ endUser: own(accountId, user) }),
    async listEndUsers({ accountId, user, includeInactive, offset, limit }) {
      const found = [...endUsers]
        .filter(([id]) => (JSON.parse(id) as [string, string])[0] === accountId)
        .map(([, endUser]) => endUser)
        .filter(
          (one) => (user === undefined || one.user === user) && (includeInactive || one.isActive),
        )
        .toSorted((a, b) => Buffer.compare(Buffer.from(a.user), Buffer.from(b.user)));
      return { endUsers: found.slice(offset, offset + limit), totalCount: found.length };
    },
    setEndUserActive: async ({ context, user, isActive }) =>
      setActive(context?.accountId ?? '', user, isActive),
    async deactivateEndUser({ context, user }) {
      const { accountId = '' } = context ?? {};
      const endUser = own(accountId, user);
      return endUser.isActive ? setActive(accountId, user, false) : { endUser };
    },
  };
}
