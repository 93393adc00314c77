import type { Entries } from '@sluice/protos/sluice/key/v1/byok';
import type {
  ByokUseServiceService,
  UsableCredential,
} from '@sluice/protos/sluice/key/v1/byok_use';
import type { Calls } from '@sluice/rpc';
import { Fault } from '@sluice/errors';
import type { Credential, CredentialQuestion } from './credential.ts';

/** Calls about provider credentials, over the network or in the same process. */
export type CredentialCalls = Calls<typeof ByokUseServiceService>;

/** Throws when the key service does not answer or its answer is invalid: no call goes out without its credential. */
export async function askCredentials(
  calls: Pick<CredentialCalls, 'listUsable'>,
  { accountId, workspaceId }: CredentialQuestion,
): Promise<readonly Credential[]> {
  const { credentials } = await calls.listUsable({ accountId, workspaceId });
  return credentials.map(credentialOf);
}

const credentialIdPattern = /^[A-Za-z0-9-]{1,64}$/;

function credentialOf({ credential, secretId }: UsableCredential): Credential {
  const settings = credential?.settings;
  if (!credential || !settings) throw unknown('a credential without its settings');
  // Part of what usage is counted with: nothing else may be called with.
  if (!credentialIdPattern.test(credential.credentialId))
    throw unknown('a credential with an id that is none');
  return {
    id: credential.credentialId,
    provider: credential.provider,
    secretId,
    sortOrder: credential.sortOrder,
    isFallback: settings.isFallback,
    isRequired: settings.isRequired,
    isByokOnly: settings.isByokOnly,
    declaredZdr: settings.declaredZdr,
    models: setOf(settings.allowedModels),
    keyHashes: setOf(settings.allowedApiKeyHashes),
    userIds: setOf(settings.allowedUserIds),
  };
}

function unknown(what: string): Fault {
  return new Fault('internal', { cause: new Error(what) });
}

function setOf(entries: Entries | undefined): ReadonlySet<string> | undefined {
  return entries && new Set(entries.values);
}
