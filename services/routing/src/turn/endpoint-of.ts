import { Fault } from '@sluice/errors';
import type { Endpoint } from '@sluice/providers';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { Credential } from '../credentials/credential.ts';
import {
  type Caller,
  currentSecret,
  type KnownCredentials,
} from '../credentials/current-secret.ts';
import { endpointWith } from '../credentials/endpoint-with.ts';

/**
 * Returns how an attempt is called: with the secret of its own credential, which is fetched now and kept nowhere
 * else, or with the platform's. Returns credential_unavailable where the secret cannot be had, and
 * provider_unavailable where it is no way to call the provider: the next attempt may do then.
 */
export function endpointOf(
  { credentials }: { readonly credentials: KnownCredentials },
  caller: Caller,
  { endpoint: { endpoint }, credential, model }: PlannedAttempt,
): Endpoint | Promise<Endpoint | Fault> {
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
