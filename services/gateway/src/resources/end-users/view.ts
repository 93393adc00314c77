import type { EndUser } from '@sluice/protos/sluice/account/v1/end_user';
import type { EndUserView } from './schema.ts';

/** The public form of a registered end user. */
export function endUserView({ user, isActive, createdAt, updatedAt }: EndUser): EndUserView {
  return { user, is_active: isActive, created_at: createdAt, updated_at: updatedAt };
}
