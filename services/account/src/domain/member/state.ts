import type { Deactivator, MemberEvent, MemberJoined, MemberRole } from './events.ts';

export type Member =
  | { readonly status: 'none' }
  | {
      readonly status: 'active' | 'inactive';
      readonly joined: MemberJoined['data'];
      readonly role: MemberRole;
      /** Set for an inactive member. */
      readonly deactivatedBy: Deactivator | undefined;
    };

export type KnownMember = Exclude<Member, { readonly status: 'none' }>;

export const initial: Member = { status: 'none' };

export function evolve(member: Member, event: MemberEvent): Member {
  if (event.type === 'MemberJoined') {
    const { role } = event.data;
    return { status: 'active', joined: event.data, role, deactivatedBy: undefined };
  }
  if (member.status === 'none') return member;
  switch (event.type) {
    case 'MemberRoleChanged':
      return { ...member, role: event.data.role };
    case 'MemberDeactivated':
      return { ...member, status: 'inactive', deactivatedBy: event.data.deactivatedBy };
    case 'MemberReactivated':
      return { ...member, status: 'active', deactivatedBy: undefined };
  }
}
