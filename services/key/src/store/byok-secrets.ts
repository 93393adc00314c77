import type { Envelope } from '@sluice/envelope';
import type { Queryable } from '@sluice/read-model';
import { envelopeOf, rowOf, type SealedRow } from './sealed-row.ts';

/** The place of the sealed secret of a credential. */
export interface SecretPlace {
  readonly accountId: string;
  readonly secretId: string;
  readonly credentialId: string;
}

export interface StoredSecret extends SecretPlace {
  readonly envelope: Envelope;
}

interface Row extends SecretPlace, SealedRow {}

const columns = `account_id AS "accountId", secret_id AS "secretId", credential_id AS "credentialId",
  key_version AS "keyVersion", wrapped_key AS "wrappedKey", ciphertext`;

/** Stores the secret, and replaces one that an interrupted attempt left there. */
export async function storeSecret(
  database: Queryable,
  { accountId, secretId, credentialId, envelope }: StoredSecret,
): Promise<void> {
  const { keyVersion, wrappedKey, ciphertext } = rowOf(envelope);
  await database.query({
    name: 'store-byok-secret',
    text: `INSERT INTO byok_secrets
             (account_id, secret_id, credential_id, key_version, wrapped_key, ciphertext)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (account_id, secret_id) DO UPDATE SET
             key_version = excluded.key_version, wrapped_key = excluded.wrapped_key,
             ciphertext = excluded.ciphertext, sealed_at = now()`,
    values: [accountId, secretId, credentialId, keyVersion, wrappedKey, ciphertext],
  });
}

/** Returns undefined if the secret is erased or never existed. */
export async function findSecret(
  database: Queryable,
  { accountId, secretId, credentialId }: SecretPlace,
): Promise<Envelope | undefined> {
  const [row] = await database.query<Row>({
    name: 'find-byok-secret',
    text: `SELECT ${columns} FROM byok_secrets
           WHERE account_id = $1 AND secret_id = $2 AND credential_id = $3`,
    values: [accountId, secretId, credentialId],
  });
  return row && envelopeOf(row);
}

export async function eraseSecret(
  database: Queryable,
  { accountId, secretId }: Omit<SecretPlace, 'credentialId'>,
): Promise<void> {
  await database.query({
    name: 'erase-byok-secret',
    text: 'DELETE FROM byok_secrets WHERE account_id = $1 AND secret_id = $2',
    values: [accountId, secretId],
  });
}

/** Returns the secrets that another version of the key-encryption key wraps, after `afterSecretId`, in order. */
export async function secretsUnderOtherKeys(
  database: Queryable,
  { keyVersion, afterSecretId, limit }: SecretPage,
): Promise<readonly StoredSecret[]> {
  const rows = await database.query<Row>({
    name: 'byok-secrets-under-other-keys',
    text: `SELECT ${columns} FROM byok_secrets
           WHERE key_version <> $1 AND secret_id > $2 ORDER BY secret_id LIMIT $3`,
    values: [keyVersion, afterSecretId, limit],
  });
  return rows.map(storedOf);
}

/** The first ones that were sealed, up to a bound. */
export async function oldestSecrets(
  database: Queryable,
  limit: number,
): Promise<readonly StoredSecret[]> {
  const rows = await database.query<Row>({
    name: 'oldest-byok-secrets',
    text: `SELECT ${columns} FROM byok_secrets ORDER BY sealed_at, secret_id LIMIT $1`,
    values: [limit],
  });
  return rows.map(storedOf);
}

function storedOf({ accountId, secretId, credentialId, ...sealed }: Row): StoredSecret {
  return { accountId, secretId, credentialId, envelope: envelopeOf(sealed) };
}

export interface SecretPage {
  readonly keyVersion: string;
  readonly afterSecretId: string;
  readonly limit: number;
}

/** Unless it was changed or erased meanwhile. */
export async function replaceWrapping(
  database: Queryable,
  { accountId, secretId, envelope }: StoredSecret,
  keyVersionBefore: string,
): Promise<void> {
  const { keyVersion, wrappedKey } = rowOf(envelope);
  await database.query({
    name: 'replace-byok-secret-wrapping',
    text: `UPDATE byok_secrets SET key_version = $3, wrapped_key = $4
           WHERE account_id = $1 AND secret_id = $2 AND key_version = $5`,
    values: [accountId, secretId, keyVersion, wrappedKey, keyVersionBefore],
  });
}

/** Returns secrets that no credential of the read model has, an hour after they were sealed. */
export async function unusedSecrets(
  database: Queryable,
  limit: number,
): Promise<readonly SecretPlace[]> {
  return await database.query<SecretPlace>({
    name: 'unused-byok-secrets',
    text: `SELECT account_id AS "accountId", secret_id AS "secretId",
             credential_id AS "credentialId"
           FROM byok_secrets AS secret
           WHERE sealed_at < now() - interval '1 hour'
             AND NOT EXISTS (
               SELECT FROM byok_credentials AS credential
               WHERE credential.account_id = secret.account_id
                 AND credential.secret_id = secret.secret_id
             )
           LIMIT $1`,
    values: [limit],
  });
}
