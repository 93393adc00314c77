/** A member as the read model shows it. */
export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly role: 'admin' | 'member';
  readonly isActive: boolean;
}

export const memberColumns = `user_id AS "userId", email, first_name AS "firstName",
  last_name AS "lastName", role, is_active AS "isActive"`;
