import type { Principal } from '@sluice/inference';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';

/** A key that exists, as the gateway keeps it: what a request needs is worked out once. */
export interface ResolvedKey {
  readonly key: Key;
  readonly kind: 'regular' | 'management';
  readonly principal: Principal;
  /** undefined: never. */
  readonly expiresAtMs: number | undefined;
}

export function toResolvedKey(key: Key): ResolvedKey {
  return {
    key,
    kind: key.kind === KeyKind.KEY_KIND_MANAGEMENT ? 'management' : 'regular',
    principal: {
      accountId: key.accountId,
      workspaceId: key.workspaceId,
      keyHash: key.hash,
      limitNanoUsd: key.limitNanoUsd ?? null,
      limitReset: limitResetOf(key),
      includeByokInLimit: key.includeByokInLimit,
      ...(key.creatorUserId === '' ? {} : { creatorUserId: key.creatorUserId }),
    },
    expiresAtMs: key.expiresAt === '' ? undefined : Date.parse(key.expiresAt),
  };
}

/** The window of the key's limit; null: all time. */
export function limitResetOf({ limitReset }: Key): Principal['limitReset'] {
  switch (limitReset) {
    case 'daily':
    case 'weekly':
    case 'monthly':
      return limitReset;
    default:
      return null;
  }
}
