import { type KeyManagement, open, UnreadableEnvelope } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { Secret } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import { isUsableSecret } from '../../queries/usable-byok-credentials.ts';
import { findSecret, type SecretPlace } from '../../store/byok-secrets.ts';
import { ownerOf } from './seal-credential.ts';

export interface OpenDependencies {
  readonly database: Database;
  readonly keyManagement: KeyManagement;
  readonly logger: Pick<Logger, 'error'>;
  readonly telemetry: { readonly metrics: Pick<Metrics, 'credentialsUnreadable'> };
}

/**
 * The secret of a credential that may be called with. Throws not_found when it is deleted, disabled or
 * rotated, and credential_unavailable if the stored secret cannot be opened. No message contains any of it.
 */
export async function openCredential(
  { database, keyManagement, logger, telemetry }: OpenDependencies,
  place: SecretPlace,
): Promise<Secret> {
  if (!(await isUsableSecret(database, place))) throw new Fault('not_found');
  const envelope = await findSecret(database, place);
  if (!envelope) throw new Fault('not_found');
  const bytes = await open(keyManagement, ownerOf(place), envelope).catch((cause: unknown) => {
    if (!(cause instanceof UnreadableEnvelope)) throw cause;
    telemetry.metrics.credentialsUnreadable.add(1, { reason: cause.reason });
    logger.error(`the provider credential ${place.credentialId} cannot be opened`, {
      error: cause,
    });
    throw new Fault('credential_unavailable', { cause });
  });
  return new Secret(Buffer.from(bytes).toString());
}
