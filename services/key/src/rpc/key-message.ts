import { type Key, KeyKind } from '@sluice/protos/sluice/key/v1/key';
import type { ApiKeyKind } from '../domain/api-key/events.ts';
import type { ApiKey, IssuedApiKey } from '../domain/api-key/state.ts';
import type { ApiKeyRow } from '../queries/api-key-row.ts';

const messageKind = {
  regular: KeyKind.KEY_KIND_REGULAR,
  management: KeyKind.KEY_KIND_MANAGEMENT,
} as const;

/** Returns undefined if the caller named no kind. */
export function kindOf(kind: KeyKind): ApiKeyKind | undefined {
  switch (kind) {
    case KeyKind.KEY_KIND_REGULAR:
      return 'regular';
    case KeyKind.KEY_KIND_MANAGEMENT:
      return 'management';
    case KeyKind.KEY_KIND_UNSPECIFIED:
    case KeyKind.UNRECOGNIZED:
      return undefined;
  }
}

/** undefined when there is no such key any more. */
export function fromState(key: ApiKey): Key | undefined {
  return key.status === 'issued' ? message({ ...key, lastUsedAt: null }) : undefined;
}

export function fromRow(row: ApiKeyRow): Key {
  return message({
    ...row,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  });
}

/** Named field by field: the digest stays inside. */
function message(
  key: Omit<IssuedApiKey, 'status' | 'digest'> & { readonly lastUsedAt: string | null },
): Key {
  return {
    hash: key.hash,
    kind: messageKind[key.kind],
    label: key.label,
    name: key.name,
    disabled: key.disabled,
    accountId: key.accountId,
    workspaceId: key.workspaceId,
    limitNanoUsd: key.limitNanoUsd ?? undefined,
    limitReset: key.limitReset ?? undefined,
    includeByokInLimit: key.includeByokInLimit,
    expiresAt: key.expiresAt ?? undefined,
    creatorUserId: key.creatorUserId ?? undefined,
    createdAt: key.createdAt,
    updatedAt: key.updatedAt,
    externalUser: key.externalUser ?? undefined,
    source: key.source,
    lastUsedAt: key.lastUsedAt ?? undefined,
  };
}
