import { Secret } from '@sluice/boot';
import { createRemoteCache, type RemoteCache, type RemoteCacheOptions } from '@sluice/remote-cache';
import { askCredentials, type CredentialCalls } from './ask-credentials.ts';
import type { Credential, CredentialQuestion } from './credential.ts';

/** Cached provider credentials, and the secrets of those that were used for a call. */
export interface Credentials {
  /** Returns cached credentials at once. Throws unavailable when none are cached and the key service is away. */
  find(question: CredentialQuestion): readonly Credential[] | Promise<readonly Credential[]>;
  /** Opens the secret for a call. Throws unavailable when there is none, or when the key service does not answer. */
  secretOf(accountId: string, credential: Credential): Secret | Promise<Secret>;
  /** Refreshes the credentials of the account. */
  changed(accountId: string): void;
  /** Drops all cached credentials of the account. */
  forget(accountId: string): void;
  /** Marks all cached values as unconfirmed, because the bus lost change notices. */
  subscribedAnew(): void;
  /** Drops secrets that no call used for a while. Call it periodically. */
  sweep(): void;
  readonly size: number;
}

interface SecretQuestion {
  readonly accountId: string;
  readonly credentialId: string;
  readonly secretId: string;
}

const groupOf = ({ accountId }: { readonly accountId: string }) => accountId;
const accountsMax = 100_000;
/** Bounds the secrets in memory. Each stays until a minute after its last use. */
const secretsMax = 10_000;

export function createCredentials({
  calls,
  ...options
}: Pick<
  RemoteCacheOptions<CredentialQuestion, unknown>,
  'unsubscribedMs' | 'nowMs' | 'lastKnownMsMax'
> & {
  readonly calls: CredentialCalls;
}): Credentials {
  const lists = createRemoteCache<CredentialQuestion, readonly Credential[]>({
    ...options,
    ask: (question) => askCredentials(calls, question),
    groupOf,
    nameOf: ({ workspaceId }) => workspaceId,
    entriesMax: accountsMax,
  });
  const secrets: RemoteCache<SecretQuestion, Secret> = createRemoteCache({
    ...options,
    ask: async (question: SecretQuestion) => new Secret((await calls.openSecret(question)).secret),
    groupOf,
    nameOf: ({ credentialId, secretId }) => `${credentialId}\0${secretId}`,
    entriesMax: secretsMax,
  });
  return {
    find: (question) => lists.find(question),
    secretOf: (accountId, { id: credentialId, secretId }) =>
      secrets.find({ accountId, credentialId, secretId }),
    changed(accountId) {
      lists.changed(accountId);
      secrets.changed(accountId);
    },
    forget(accountId) {
      lists.forget(accountId);
      secrets.forget(accountId);
    },
    subscribedAnew() {
      lists.subscribedAnew();
      secrets.subscribedAnew();
    },
    sweep() {
      secrets.sweep();
    },
    get size() {
      return lists.size;
    },
  };
}
