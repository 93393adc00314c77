import type { EndUserEvent } from './events.ts';

export type EndUser = { readonly status: 'none' } | RegisteredEndUser;

export interface RegisteredEndUser {
  readonly status: 'registered';
  readonly accountId: string;
  readonly user: string;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const initial: EndUser = { status: 'none' };

export function evolve(endUser: EndUser, event: EndUserEvent): EndUser {
  switch (event.type) {
    case 'EndUserRegistered': {
      const { registeredAt, ...who } = event.data;
      const times = { createdAt: registeredAt, updatedAt: registeredAt };
      return { status: 'registered', ...who, isActive: true, ...times };
    }
    case 'EndUserDeactivated':
      return changed(endUser, event, false);
    case 'EndUserReactivated':
      return changed(endUser, event, true);
  }
}

function changed(
  endUser: EndUser,
  { data }: { readonly data: { readonly changedAt: string } },
  isActive: boolean,
): EndUser {
  if (endUser.status === 'none') return endUser;
  return { ...endUser, isActive, updatedAt: data.changedAt };
}
