import type { Secret } from '@sluice/boot';
import { Fault } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import type { Credential } from './credential.ts';
import type { Credentials } from './credentials.ts';

export type KnownCredentials = Pick<Credentials, 'find' | 'secretOf' | 'forget'>;
export type Caller = Pick<Principal, 'accountId' | 'workspaceId'>;

/** Gets the secret. If it is gone, the credential was just changed, so the new secret is requested. */
export async function currentSecret(
  credentials: KnownCredentials,
  caller: Caller,
  credential: Credential,
): Promise<Secret> {
  try {
    return await credentials.secretOf(caller.accountId, credential);
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'not_found')) throw error;
    credentials.forget(caller.accountId);
    const { accountId, workspaceId } = caller;
    const now = await credentials.find({ accountId, workspaceId });
    const changed = now.find(({ id }) => id === credential.id);
    if (!changed) throw error;
    return await credentials.secretOf(accountId, changed);
  }
}
