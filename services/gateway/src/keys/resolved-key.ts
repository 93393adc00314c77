import type { Principal } from '@sluice/inference';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';

/** The facts of a key that the gateway needs. The key service has its name and its history. */
export type KnownKey = Pick<
  Key,
  | 'hash'
  | 'label'
  | 'accountId'
  | 'workspaceId'
  | 'creatorUserId'
  | 'limitNanoUsd'
  | 'limitReset'
  | 'includeByokInLimit'
  | 'expiresAt'
>;

export interface ResolvedKeyOptions {
  readonly revision?: number;
  /** Returns one shared string for all keys of an account. */
  readonly shared?: (text: string) => string;
}

/**
 * A key that exists, as the gateway keeps it: as little as possible, for there are many. The principal
 * is the same object for as long as the key is remembered.
 */
export class ResolvedKey {
  readonly principal: Principal;
  readonly kind: 'regular' | 'management';
  readonly isDisabled: boolean;
  /** The revision of the key's stream that this shows. */
  readonly revision: number;
  readonly #label: string;
  readonly #expiresAt: string | undefined;

  constructor(key: Key, { revision = -1, shared = (text) => text }: ResolvedKeyOptions = {}) {
    this.revision = revision;
    this.principal = principalOf(key, shared);
    this.kind = key.kind === KeyKind.KEY_KIND_MANAGEMENT ? 'management' : 'regular';
    this.isDisabled = key.disabled;
    this.#label = key.label;
    this.#expiresAt = key.expiresAt;
  }

  /** undefined: never. */
  get expiresAtMs(): number | undefined {
    return this.#expiresAt === undefined ? undefined : Date.parse(this.#expiresAt);
  }

  /** Made when it is asked for: inference does not ask. */
  get key(): KnownKey {
    const { keyHash, creatorUserId, limitNanoUsd, limitReset, ...same } = this.principal;
    return {
      ...same,
      hash: keyHash,
      label: this.#label,
      creatorUserId,
      limitNanoUsd: limitNanoUsd ?? undefined,
      limitReset: limitReset ?? undefined,
      expiresAt: this.#expiresAt,
    };
  }
}

/** Each of the two is written out: an object that another is spread into takes half as much again. */
function principalOf(key: Key, shared: (text: string) => string): Principal {
  const accountId = shared(key.accountId);
  const workspaceId = shared(key.workspaceId);
  const { hash: keyHash, includeByokInLimit } = key;
  const limitNanoUsd = key.limitNanoUsd ?? null;
  const limitReset = limitResetOf(key);
  if (key.creatorUserId === undefined)
    return { accountId, workspaceId, keyHash, limitNanoUsd, limitReset, includeByokInLimit };
  const creatorUserId = shared(key.creatorUserId);
  return {
    accountId,
    workspaceId,
    keyHash,
    limitNanoUsd,
    limitReset,
    includeByokInLimit,
    creatorUserId,
  };
}

/** The window of the key's limit; null: all time. */
export function limitResetOf({ limitReset }: Pick<Key, 'limitReset'>): Principal['limitReset'] {
  switch (limitReset) {
    case 'daily':
    case 'weekly':
    case 'monthly':
      return limitReset;
    default:
      return null;
  }
}
