import { type KeyManagement, rewrap, UnreadableEnvelope } from '@sluice/envelope';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import { rewrapCheck } from './check-envelope-keys.ts';
import { ownerOf } from './seal-secret.ts';
import type { SecretPlace, SecretTable } from './secret-table.ts';

export interface SecretCareDependencies {
  readonly database: Database;
  readonly keyManagement: KeyManagement;
  readonly secrets: SecretTable;
  /** Asks the log whether a record has the secret. */
  readonly isUsed: (place: SecretPlace) => Promise<boolean>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

const pageRows = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Runs once at each start. The next start repeats a failed one: the sealed secrets are intact. */
export async function lookAfterSecrets(dependencies: SecretCareDependencies): Promise<void> {
  try {
    await rewrapSecrets(dependencies);
    await eraseUnusedSecrets(dependencies);
  } catch (error) {
    dependencies.logger.warn('sealed secrets were not looked after', { error });
  }
}

/**
 * Rewraps data keys of earlier key-encryption keys under the newest one; the ciphertexts stay. Returns
 * their number. Secrets that cannot be opened stay unchanged and are logged.
 */
export async function rewrapSecrets(
  dependencies: Omit<SecretCareDependencies, 'isUsed'>,
): Promise<number> {
  const { database, keyManagement, logger, secrets: table } = dependencies;
  await rewrapCheck(dependencies);
  const keyVersion = await keyManagement.newestVersion();
  let count = 0;
  for (let afterSecretId = firstId; ;) {
    const page = { keyVersion, afterSecretId, limit: pageRows };
    const secrets = await table.underOtherKeys(database, page);
    for (const secret of secrets) {
      try {
        const envelope = await rewrap(keyManagement, ownerOf(secret), secret.envelope);
        if (!envelope) continue;
        await table.replaceWrapping(database, { ...secret, envelope }, secret.envelope.keyVersion);
        count++;
      } catch (error) {
        if (!(error instanceof UnreadableEnvelope)) throw error;
        logger.error('a sealed secret cannot be opened', { error });
      }
    }
    const last = secrets.at(-1);
    if (!last || secrets.length < pageRows) break;
    afterSecretId = last.secretId;
  }
  if (count > 0) logger.info('sealed secrets are under the newest key', { count });
  return count;
}

/**
 * Erases what was sealed for a command that did not get further. The read model says what is unused;
 * only the log is believed. Answers how many.
 */
export async function eraseUnusedSecrets({
  database,
  secrets,
  isUsed,
}: Pick<SecretCareDependencies, 'database' | 'secrets' | 'isUsed'>): Promise<number> {
  let count = 0;
  for (const place of await secrets.unused(database, pageRows)) {
    if (await isUsed(place)) continue;
    await secrets.erase(database, place);
    count++;
  }
  return count;
}
