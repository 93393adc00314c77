import type { Principal } from '@sluice/inference-port';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import { spanAttributes } from '@sluice/telemetry';
import type { Actor, CallerFacts, RouteAuth } from './caller-facts.ts';

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

export interface KeyCallerOptions {
  readonly revision?: number;
  /** Returns one shared string for all keys of an account. */
  readonly shared?: (text: string) => string;
}

/**
 * A valid key. The cache holds many of them, so each is small: what a request rarely needs is a getter. The principal
 * stays the same object while the key is cached.
 */
export class KeyCaller implements CallerFacts {
  readonly principal: Principal;
  readonly isManagement: boolean;
  readonly isDisabled: boolean;
  /** The revision of the key's stream that this shows. */
  readonly revision: number;
  readonly #label: string;
  readonly #expiresAt: string | undefined;

  constructor(key: Key, { revision = -1, shared = (text) => text }: KeyCallerOptions = {}) {
    this.revision = revision;
    this.principal = principalOf(key, shared);
    this.isManagement = key.kind === KeyKind.KEY_KIND_MANAGEMENT;
    this.isDisabled = key.disabled;
    this.#label = key.label;
    this.#expiresAt = key.expiresAt;
  }

  get kind() {
    return 'key' as const;
  }

  get accountId(): string {
    return this.principal.accountId;
  }

  get userId(): string | undefined {
    return this.principal.creatorUserId;
  }

  callerId(): string {
    return this.principal.keyHash;
  }

  actorOf(): Actor {
    return { type: this.isManagement ? 'management_key' : 'api_key', id: this.principal.keyHash };
  }

  /** A management key calls no model, and any other key manages nothing. */
  permits({ auth }: { readonly auth: RouteAuth }): boolean {
    return auth === 'inference' ? !this.isManagement : auth !== 'management' || this.isManagement;
  }

  spanAttributesOf(): Readonly<Record<string, string>> {
    const { accountId, workspaceId, keyHash } = this.principal;
    return {
      [spanAttributes.accountId]: accountId,
      ...(workspaceId !== '' && { [spanAttributes.workspaceId]: workspaceId }),
      [spanAttributes.keyHash]: keyHash,
    };
  }

  /** If undefined, the key does not expire. */
  get expiresAtMs(): number | undefined {
    return this.#expiresAt === undefined ? undefined : Date.parse(this.#expiresAt);
  }

  /** The facts of the key. Inference does not need them, so each read makes them anew. */
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

/** Writes out both objects, because an object that another is spread into takes half as much memory again. */
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
