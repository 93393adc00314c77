import { Fault } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import type { Endpoint } from '@sluice/providers';
import type { Secret } from '@sluice/boot';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { endpointWith } from '../credentials/endpoint-with.ts';

type KnownCredentials = Pick<Credentials, 'find' | 'secretOf' | 'forget'>;
type Caller = Pick<Principal, 'accountId' | 'workspaceId'>;

/**
 * Returns how an attempt is called: with the secret of its own credential, which is fetched now and kept nowhere
 * else, or with the platform's. Returns credential_unavailable where the secret cannot be had, and
 * provider_unavailable where it is no way to call the provider: the next attempt may do then.
 */
export async function endpointOf(
  { credentials }: { readonly credentials: KnownCredentials },
  caller: Caller,
  { endpoint: { endpoint }, credential, model }: PlannedAttempt,
): Promise<Endpoint | Fault> {
  if (!credential) return endpoint;
  return ownEndpoint(credential, async () => {
    const secret = await currentSecret(credentials, caller, credential);
    return endpointWith(endpoint, model.id, secret);
  });
}

async function ownEndpoint(
  { id }: Credential,
  find: () => Promise<Endpoint | undefined>,
): Promise<Endpoint | Fault> {
  try {
    return (
      (await find()) ??
      new Fault('provider_unavailable', {
        message: 'The provider cannot be called with a credential of this kind',
      })
    );
  } catch (cause) {
    const message = `The provider credential ${id} cannot be opened: try again, or set its key again`;
    return new Fault('credential_unavailable', { message, cause });
  }
}

/** Gets the secret. If it is gone, the credential was just changed, so the new secret is requested. */
async function currentSecret(
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
