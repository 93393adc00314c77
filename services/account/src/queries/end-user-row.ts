/** A registered end user as the read model shows it. */
export interface EndUserRow {
  readonly user: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const endUserColumns = `end_user AS "user", is_active AS "isActive",
  created_at AS "createdAt", updated_at AS "updatedAt"`;
