import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import type { FreeRequests, GetCreditsResponse } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { KeySpend } from '../../clients/key-spend.ts';
import { present } from '../../clients/present.ts';
import type { DataRegion } from './data-regions.ts';
import type { KeyCaller } from '../../caller/key-caller.ts';
import type { CurrentKeyView } from './schema.ts';
import { limitView, spendView } from '../keys/view.ts';

export interface CurrentKeyFacts {
  readonly caller: KeyCaller;
  readonly account: Account;
  readonly spend: KeySpend;
  readonly credits: Pick<GetCreditsResponse, 'hasPurchased' | 'freeRequestsToday'>;
  /** False: it was deleted, or the key has none. */
  readonly hasWorkspace: boolean;
  readonly regions: readonly DataRegion[];
}

/** Kept for old clients, who read it before they send; it never said anything. */
const deprecatedRateLimit = {
  requests: -1,
  interval: '10s',
  note: 'Deprecated: carries no information.',
};

/** Returns the facts that a key may know about itself. */
export function currentKeyView(facts: CurrentKeyFacts): CurrentKeyView {
  const { caller, account, spend, credits } = facts;
  const { isManagement, key } = caller;
  const isOrganization = account.kind === AccountKind.ACCOUNT_KIND_ORGANIZATION;
  return {
    label: key.label,
    ...limitView(key, spend),
    ...spendView(spend),
    is_free_tier: !credits.hasPurchased,
    is_management_key: isManagement,
    is_provisioning_key: isManagement,
    creator_user_id: key.creatorUserId ?? null,
    expires_at: key.expiresAt ?? null,
    organization_id: isOrganization ? account.accountId : null,
    workspace_id: facts.hasWorkspace ? key.workspaceId : null,
    allowed_data_regions: [...facts.regions],
    free_model_daily_requests: quotaView(present(credits.freeRequestsToday)),
    rate_limit: deprecatedRateLimit,
  };
}

function quotaView({ limit, used }: FreeRequests): CurrentKeyView['free_model_daily_requests'] {
  const remaining = limit > used ? limit - used : 0n;
  return { limit: Number(limit), used: Number(used), remaining: Number(remaining) };
}
