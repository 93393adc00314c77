import { isPlainId } from '@sluice/clock-and-ids';
import { invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';

const limitMax = 100;

/** Throws invalid_request when it is no page. */
export function requirePage({ offset, limit }: { offset: number; limit: number }): void {
  if (offset < 0) refuse({ path: 'offset', message: 'must be 0 or more' });
  if (limit < 1 || limit > limitMax)
    refuse({ path: 'limit', message: `must be from 1 to ${limitMax}` });
}

/** Each of them once. Throws invalid_request when there are none, too many, or one is no id. */
export function requireUserIds(
  userIds: readonly string[],
  { atLeast, atMost }: { readonly atLeast: number; readonly atMost: number },
): readonly string[] {
  const path = 'user_ids';
  if (userIds.length < atLeast || userIds.length > atMost)
    refuse({ path, message: `must be ${atLeast} to ${atMost}` });
  if (!userIds.every((userId) => isPlainId(userId)))
    refuse({ path, message: 'must be ids of users' });
  return [...new Set(userIds)];
}

/** Also a part of stream names and subjects. */

function refuse(issue: Issue): never {
  throw rejectionToFault(invalidRequest([issue]));
}
