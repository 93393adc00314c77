import type { ApiKeyEvent, ApiKeyIssued } from './events.ts';

export type ApiKey =
  | { readonly status: 'none' }
  | IssuedApiKey
  | { readonly status: 'deleted'; readonly accountId: string };

export interface IssuedApiKey extends Omit<ApiKeyIssued['data'], 'limitNanoUsd' | 'issuedAt'> {
  readonly status: 'issued';
  readonly disabled: boolean;
  /** null: no cap. */
  readonly limitNanoUsd: bigint | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const initial: ApiKey = { status: 'none' };

export function evolve(key: ApiKey, event: ApiKeyEvent): ApiKey {
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { issuedAt, limitNanoUsd, ...data } = event.data;
      const times = { createdAt: issuedAt, updatedAt: issuedAt };
      const amount = amountOf(limitNanoUsd);
      return { status: 'issued', ...data, limitNanoUsd: amount, disabled: false, ...times };
    }
    case 'ApiKeyRenamed':
      return changed(key, event, { name: event.data.name });
    case 'ApiKeyDisabled':
      return changed(key, event, { disabled: true });
    case 'ApiKeyEnabled':
      return changed(key, event, { disabled: false });
    case 'ApiKeyLimitChanged':
      return changed(key, event, { limitNanoUsd: amountOf(event.data.limitNanoUsd) });
    case 'ApiKeyLimitResetChanged':
      return changed(key, event, { limitReset: event.data.limitReset });
    case 'ApiKeyByokInclusionChanged':
      return changed(key, event, { includeByokInLimit: event.data.includeByokInLimit });
    case 'ApiKeyDeleted':
      return key.status === 'issued' ? { status: 'deleted', accountId: key.accountId } : key;
  }
}

function changed(
  key: ApiKey,
  event: { readonly data: { readonly changedAt: string } },
  changes: Partial<IssuedApiKey>,
): ApiKey {
  if (key.status !== 'issued') return key;
  return { ...key, ...changes, updatedAt: event.data.changedAt };
}

function amountOf(digits: string | null): bigint | null {
  return digits === null ? null : BigInt(digits);
}
