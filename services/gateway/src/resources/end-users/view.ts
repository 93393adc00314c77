import type { EndUser } from '@sluice/protos/sluice/account/v1/end_user';
import { present } from '../../clients/present.ts';
import type { EndUserView } from './schema.ts';

/** The public form of a registered end user. */
export function endUserView(sent: EndUser | undefined): EndUserView {
  const { user, isActive, createdAt, updatedAt } = present(sent);
  return { user, is_active: isActive, created_at: createdAt, updated_at: updatedAt };
}
