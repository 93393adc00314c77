import { nanoUsdToNumber } from '@sluice/inference';
import type { Key } from '@sluice/protos/sluice/key/v1/key';
import type { WindowUsage } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { KeySpend } from '../../clients/key-spend.ts';
import { limitResetOf } from '../../caller/key-caller.ts';
import type { KeyView } from './schema.ts';

/** The public form of a key with what it has used. */
export function keyView(key: Key, spend: KeySpend): KeyView {
  return {
    hash: key.hash,
    label: key.label,
    name: key.name,
    disabled: key.disabled,
    ...limitView(key, spend),
    ...spendView(spend),
    created_at: key.createdAt,
    updated_at: key.updatedAt === '' ? key.createdAt : key.updatedAt,
    expires_at: key.expiresAt ?? null,
    creator_user_id: key.creatorUserId ?? null,
    external_user: key.externalUser ?? null,
    workspace_id: key.workspaceId,
    last_used_at: key.lastUsedAt ?? null,
  };
}

type Limit = Pick<Key, 'limitNanoUsd' | 'limitReset' | 'includeByokInLimit'>;

export function limitView(key: Limit, spend: KeySpend) {
  const { limitNanoUsd: limit, includeByokInLimit } = key;
  const window = limitResetOf(key);
  const spent =
    inWindow(spend.credits, window) + (includeByokInLimit ? inWindow(spend.byok, window) : 0n);
  return {
    limit: limit === undefined ? null : nanoUsdToNumber(limit),
    limit_remaining:
      limit === undefined ? null : nanoUsdToNumber(limit > spent ? limit - spent : 0n),
    limit_reset: window,
    include_byok_in_limit: includeByokInLimit,
  };
}

export function spendView({ credits, byok }: KeySpend) {
  return {
    usage: nanoUsdToNumber(credits.lifetimeNanoUsd),
    usage_daily: nanoUsdToNumber(credits.dailyNanoUsd),
    usage_weekly: nanoUsdToNumber(credits.weeklyNanoUsd),
    usage_monthly: nanoUsdToNumber(credits.monthlyNanoUsd),
    byok_usage: nanoUsdToNumber(byok.lifetimeNanoUsd),
    byok_usage_daily: nanoUsdToNumber(byok.dailyNanoUsd),
    byok_usage_weekly: nanoUsdToNumber(byok.weeklyNanoUsd),
    byok_usage_monthly: nanoUsdToNumber(byok.monthlyNanoUsd),
  };
}

function inWindow(usage: WindowUsage, window: ReturnType<typeof limitResetOf>): bigint {
  switch (window) {
    case 'daily':
      return usage.dailyNanoUsd;
    case 'weekly':
      return usage.weeklyNanoUsd;
    case 'monthly':
      return usage.monthlyNanoUsd;
    case null:
      return usage.lifetimeNanoUsd;
  }
}
