import type { Deactivator } from './events.ts';

interface MemberCommandBase {
  readonly accountId: string;
  readonly userId: string;
  /** True for the owner, who opened the organization and cannot be locked out. */
  readonly isOwner: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Values as they were asked for: nothing of it is checked yet. */
export interface JoinMember extends MemberCommandBase {
  readonly type: 'JoinMember';
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly role: string;
}

export interface ChangeMemberRole extends MemberCommandBase {
  readonly type: 'ChangeMemberRole';
  readonly role: string;
}

export interface DeactivateMember extends MemberCommandBase {
  readonly type: 'DeactivateMember';
  readonly by: Deactivator;
}

/** The directory reactivates only members that it deactivated; an administrator reactivates any member. */
export interface ReactivateMember extends MemberCommandBase {
  readonly type: 'ReactivateMember';
  readonly by: Deactivator;
}

export type MemberCommand = JoinMember | ChangeMemberRole | DeactivateMember | ReactivateMember;
