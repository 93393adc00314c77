import type { Principal } from '@sluice/inference';
import type { Budget } from '@sluice/spend';

/** All that caps a request, in the order in which they refuse: the credits, then the limit of the key. */
export function budgetsOf(principal: Principal): readonly Budget[] {
  const { accountId, keyHash, limitNanoUsd, limitReset, includeByokInLimit } = principal;
  const credits: Budget = {
    accountId,
    scopeKind: 'account',
    scopeId: accountId,
    interval: null,
    limitNanoUsd: undefined,
    includeByok: false,
  };
  if (limitNanoUsd === null) return [credits];
  const ofKey: Budget = {
    accountId,
    scopeKind: 'key',
    scopeId: keyHash,
    interval: limitReset,
    limitNanoUsd,
    includeByok: includeByokInLimit,
  };
  return [credits, ofKey];
}
