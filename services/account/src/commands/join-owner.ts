import { Fault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import { derivedId } from '@sluice/clock-and-ids';
import type { AccountOpened } from '../domain/account/events.ts';
import type { ChangeMember } from './change-member.ts';

/**
 * Makes the owner of an organization its first member and an admin, once per organization: the command's
 * id is a function of the account.
 */
export async function joinOwner(
  change: ChangeMember,
  opened: AccountOpened['data'],
): Promise<Position | undefined> {
  if (opened.kind === 'personal') return undefined;
  const { accountId, ownerUserId: userId } = opened;
  const commandId = derivedId('join owner', accountId);
  const context = {
    commandId,
    requestId: `owner-${commandId}`,
    accountId,
    occurredAt: opened.openedAt,
    actor: { type: 'system', id: 'account' },
  } as const;
  const email = opened.ownerEmail ?? `${userId}@localhost`;
  const values = { userId, email, firstName: null, lastName: null, role: 'admin' };
  try {
    return (await change({ type: 'JoinMember', ...values }, context)).position;
  } catch (error) {
    // Another command let the owner in already, with other values.
    if (error instanceof Fault && error.code === 'conflict') return undefined;
    throw error;
  }
}
