import { type Queryable, streamProjection } from '@sluice/read-model';
import type { MemberJoined, MemberRoleChanged } from '../domain/member/events.ts';
import { memberEvents } from '../store/member-events.ts';

/** Keeps the table `members`: one row per member of an organization, active or not. */
export const membersProjection = streamProjection(
  memberEvents,
  { projection: 'account.members', version: 1, tables: ['members'] },
  async (transaction, event) => {
    switch (event.type) {
      case 'MemberJoined':
        return insertMember(transaction, event.data);
      case 'MemberRoleChanged':
        return setRole(transaction, event.data);
      case 'MemberDeactivated':
        return setActive(transaction, event.data, event.data.deactivatedBy);
      case 'MemberReactivated':
        return setActive(transaction, event.data, null);
    }
  },
);

async function insertMember(transaction: Queryable, data: MemberJoined['data']): Promise<void> {
  await transaction.query({
    name: 'insert-member',
    text: `INSERT INTO members
             (account_id, user_id, email, first_name, last_name, role, is_active, joined_at)
           VALUES ($1, $2, $3, $4, $5, $6, true, $7) ON CONFLICT (account_id, user_id) DO NOTHING`,
    values: [
      data.accountId,
      data.userId,
      data.email,
      data.firstName,
      data.lastName,
      data.role,
      data.joinedAt,
    ],
  });
}

async function setRole(transaction: Queryable, data: MemberRoleChanged['data']): Promise<void> {
  await transaction.query({
    name: 'set-member-role',
    text: 'UPDATE members SET role = $3 WHERE account_id = $1 AND user_id = $2',
    values: [data.accountId, data.userId, data.role],
  });
}

/** `deactivatedBy` is null for an active member. */
async function setActive(
  transaction: Queryable,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  deactivatedBy: string | null,
): Promise<void> {
  await transaction.query({
    name: 'set-member-active',
    text: `UPDATE members SET is_active = ($3::text IS NULL), deactivated_by = $3
           WHERE account_id = $1 AND user_id = $2`,
    values: [accountId, userId, deactivatedBy],
  });
}
