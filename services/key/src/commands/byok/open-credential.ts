import { type KeyManagement, UnreadableEnvelope } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { Secret } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import { openSecret } from '@sluice/sealed-secrets';
import type { Metrics } from '@sluice/telemetry';
import { isUsableSecret } from '../../queries/usable-byok-credentials.ts';
import { byokSecrets } from '../../store/byok-secrets.ts';

export interface OpenDependencies {
  readonly database: Database;
  readonly keyManagement: KeyManagement;
  readonly logger: Pick<Logger, 'error'>;
  readonly telemetry: { readonly metrics: Pick<Metrics, 'credentialsUnreadable'> };
}

/** The secret of a credential, by the id that its last rotation gave it. */
export interface CredentialPlace {
  readonly accountId: string;
  readonly credentialId: string;
  readonly secretId: string;
}

/**
 * The secret of a credential that may be called with. Throws not_found when it is deleted, disabled or
 * rotated, and credential_unavailable if the stored secret cannot be opened. No message contains any of it.
 */
export async function openCredential(
  { database, keyManagement, logger, telemetry }: OpenDependencies,
  place: CredentialPlace,
): Promise<Secret> {
  if (!(await isUsableSecret(database, place))) throw new Fault('not_found');
  const { accountId, credentialId: recordId, secretId } = place;
  const sealed = { database, keyManagement, secrets: byokSecrets };
  const secret = await openSecret(sealed, { accountId, recordId, secretId }).catch(
    (cause: unknown) => {
      if (!(cause instanceof UnreadableEnvelope)) throw cause;
      telemetry.metrics.credentialsUnreadable.add(1, { reason: cause.reason });
      logger.error(`the provider credential ${recordId} cannot be opened`, { error: cause });
      throw new Fault('credential_unavailable', { cause });
    },
  );
  if (secret === undefined) throw new Fault('not_found');
  return new Secret(secret);
}
