/** The events of a member of an organization. Names and shapes are the storage format: see store/. */
export type MemberEvent = MemberJoined | MemberRoleChanged | MemberDeactivated | MemberReactivated;

export type MemberRole = 'admin' | 'member';

/** The actor that ended a membership. The directory reactivates only members that it deactivated. */
export type Deactivator = 'administrator' | 'directory';

/** A user belongs to an organization from now on. */
export interface MemberJoined {
  readonly type: 'MemberJoined';
  readonly data: {
    readonly accountId: string;
    readonly userId: string;
    readonly email: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly role: MemberRole;
    readonly joinedAt: string;
  };
}

/** A member may do more or less in the organization from now on. */
export interface MemberRoleChanged {
  readonly type: 'MemberRoleChanged';
  readonly data: {
    readonly accountId: string;
    readonly userId: string;
    readonly role: MemberRole;
    readonly changedAt: string;
  };
}

/** A user is no longer a member. The things that the user made stay. */
export interface MemberDeactivated {
  readonly type: 'MemberDeactivated';
  readonly data: {
    readonly accountId: string;
    readonly userId: string;
    readonly deactivatedBy: Deactivator;
    readonly deactivatedAt: string;
  };
}

/** A user is a member again, with the role of before. */
export interface MemberReactivated {
  readonly type: 'MemberReactivated';
  readonly data: {
    readonly accountId: string;
    readonly userId: string;
    readonly reactivatedAt: string;
  };
}
