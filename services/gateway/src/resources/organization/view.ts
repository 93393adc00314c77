import type { Member } from '@sluice/protos/sluice/account/v1/account';
import type { MemberView } from './schema.ts';

/** The public form of a member of an organization. */
export function memberView(member: Member): MemberView {
  return {
    id: member.userId,
    email: member.email,
    first_name: member.firstName ?? null,
    last_name: member.lastName ?? null,
    role: member.role === 'admin' ? 'org:admin' : 'org:member',
  };
}
