import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  AddByokCredential,
  ByokCommand,
  ChangeByokCredential,
  DeleteByokCredential,
  DeleteByokOfWorkspace,
  ForgetApiKey,
} from './commands.ts';
import type {
  ByokCredentialDeleted,
  ByokCredentialUpdated,
  ByokEvent,
  ByokSettings,
} from './events.ts';
import { conflictsOf, distinct, isSame, issuesOf } from './settings.ts';
import { type ByokCredential, type ByokCredentials, evolve, initial } from './state.ts';

export type ByokRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;

/** Far more than anybody has, and few enough to be folded at each command. */
const credentialsMax = 1_000;

function decide(
  command: ByokCommand,
  credentials: ByokCredentials,
): readonly ByokEvent[] | ByokRejection {
  switch (command.type) {
    case 'AddByokCredential':
      return add(command, credentials);
    case 'ChangeByokCredential':
      return change(command, credentials);
    case 'DeleteByokCredential':
      return remove(command, credentials);
    case 'DeleteByokOfWorkspace':
      return removeOfWorkspace(command, credentials);
    case 'ForgetApiKey':
      return forgetApiKey(command, credentials);
  }
}

/** All credentials of an account are one aggregate: their order within a provider has no gaps and no doubles. */
export const byok: Decider<ByokCommand, ByokCredentials, ByokEvent, ByokRejection> = {
  category: 'byok',
  initial,
  evolve,
  decide,
};

const notFound: ByokRejection = { rejected: 'not_found', message: 'There is no such credential' };

function add(command: AddByokCredential, credentials: ByokCredentials) {
  const { credentialId, accountId, workspaceId, provider, secret, occurredAt } = command;
  const settings = distinct(command.settings);
  const wrong = wrongIn(settings, settings);
  if (wrong.length > 0) return invalidRequest(wrong);
  if (credentials.has(credentialId))
    return { rejected: 'conflict', message: 'There is a credential of this id already' } as const;
  if (credentials.size >= credentialsMax)
    return invalidRequest([
      { path: 'provider', message: `an account has at most ${credentialsMax} credentials` },
    ]);
  const neighbours = [...credentials.values()].filter(
    (other) => other.provider === provider && other.workspaceId === workspaceId,
  );
  const sortOrder = Math.max(-1, ...neighbours.map((other) => other.sortOrder)) + 1;
  const { secretId, label } = secret;
  const place = { credentialId, accountId, workspaceId, provider };
  const data = { ...place, secretId, label, settings, sortOrder, addedAt: occurredAt };
  return [{ type: 'ByokCredentialAdded', data }] as const;
}

function change(command: ChangeByokCredential, credentials: ByokCredentials) {
  const { credentialId, changes, secret, occurredAt: changedAt } = command;
  const credential = credentials.get(credentialId);
  if (!credential) return notFound;
  const settings = distinct({ ...credential.settings, ...changes });
  const wrong = wrongIn(changes, settings);
  if (wrong.length > 0) return invalidRequest(wrong);
  const events: ByokEvent[] = [];
  if (!isSame(settings, credential.settings))
    events.push(updated(credentialId, settings, changedAt));
  if (secret) {
    const data = { credentialId, ...secret, replacedSecretId: credential.secretId, changedAt };
    events.push({ type: 'ByokCredentialRotated', data });
  }
  return events;
}

/** Returns the invalid values, or else the values that exclude each other. */
function wrongIn(asked: Partial<ByokSettings>, settings: ByokSettings): readonly Issue[] {
  const issues = issuesOf(asked);
  return issues.length > 0 ? issues : conflictsOf(settings);
}

function remove({ credentialId, occurredAt }: DeleteByokCredential, credentials: ByokCredentials) {
  const credential = credentials.get(credentialId);
  return credential ? [deleted(credential, occurredAt)] : notFound;
}

function removeOfWorkspace(
  { workspaceId, occurredAt }: DeleteByokOfWorkspace,
  credentials: ByokCredentials,
) {
  return [...credentials.values()]
    .filter((credential) => credential.workspaceId === workspaceId)
    .map((credential) => deleted(credential, occurredAt));
}

/** A list that has no key left disables its credential: to open it to everybody is not meant. */
function forgetApiKey({ keyHash, occurredAt }: ForgetApiKey, credentials: ByokCredentials) {
  return [...credentials.values()].flatMap(({ credentialId, settings }: ByokCredential) => {
    if (!settings.allowedApiKeyHashes?.includes(keyHash)) return [];
    const allowedApiKeyHashes = settings.allowedApiKeyHashes.filter((hash) => hash !== keyHash);
    const disabled = settings.disabled || allowedApiKeyHashes.length === 0;
    return [updated(credentialId, { ...settings, allowedApiKeyHashes, disabled }, occurredAt)];
  });
}

function updated(
  credentialId: string,
  settings: ByokSettings,
  changedAt: string,
): ByokCredentialUpdated {
  return { type: 'ByokCredentialUpdated', data: { credentialId, settings, changedAt } };
}

function deleted(
  { credentialId, secretId }: ByokCredential,
  changedAt: string,
): ByokCredentialDeleted {
  return { type: 'ByokCredentialDeleted', data: { credentialId, secretId, changedAt } };
}
