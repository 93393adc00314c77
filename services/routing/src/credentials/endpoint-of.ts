import { Fault } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import type { Endpoint } from '@sluice/providers';
import type { PlannedAttempt } from '../choice/plan.ts';
import type { Credentials } from './credentials.ts';
import { endpointWith } from './endpoint-with.ts';

/**
 * How an attempt is called: with the secret of its own credential, which is learnt now and kept nowhere else, or
 * with the platform's. A Fault where the secret cannot be had or is no way to call it: the next attempt may do.
 */
export function endpointOf(
  { credentials }: { readonly credentials: Pick<Credentials, 'secretOf'> },
  { accountId }: Pick<Principal, 'accountId'>,
  { endpoint: { endpoint }, credential, model }: PlannedAttempt,
): Endpoint | Fault | Promise<Endpoint | Fault> {
  if (!credential) return endpoint;
  return ownEndpoint(async () => {
    const secret = await credentials.secretOf(accountId, credential);
    return endpointWith(endpoint, model.id, secret);
  });
}

async function ownEndpoint(find: () => Promise<Endpoint | undefined>): Promise<Endpoint | Fault> {
  try {
    return (
      (await find()) ??
      new Fault('provider_unavailable', {
        message: 'The provider cannot be called with a credential of this kind',
      })
    );
  } catch (error) {
    return error instanceof Fault ? error : new Fault('unavailable', { cause: error });
  }
}
