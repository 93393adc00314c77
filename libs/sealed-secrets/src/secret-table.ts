import type { Envelope } from '@sluice/envelope';
import type { Queryable } from '@sluice/read-model';
import { envelopeOf, rowOf, type SealedRow } from './sealed-row.ts';

/** The place of the sealed secret of a record. */
export interface SecretPlace {
  readonly accountId: string;
  readonly secretId: string;
  readonly recordId: string;
}

export interface StoredSecret extends SecretPlace {
  readonly envelope: Envelope;
}

/** Names of the tables, constants of the service. */
export interface SecretTableNames {
  /** The table of sealed secrets. */
  readonly secrets: string;
  /** The column of that table with the id of the record. */
  readonly recordColumn: string;
  /** The read model whose rows name the secrets that are in use, in `account_id` and `secret_id`. */
  readonly records: string;
}

export interface SecretPage {
  readonly keyVersion: string;
  readonly afterSecretId: string;
  readonly limit: number;
}

interface Row extends SecretPlace, SealedRow {}

/** The sealed secrets of one table. */
export class SecretTable {
  readonly #names: SecretTableNames;
  readonly #place: string;
  readonly #columns: string;

  constructor(names: SecretTableNames) {
    this.#names = names;
    this.#place = `account_id AS "accountId", secret_id AS "secretId",
      ${names.recordColumn} AS "recordId"`;
    this.#columns = `${this.#place}, key_version AS "keyVersion", wrapped_key AS "wrappedKey",
      ciphertext`;
  }

  /** Stores the secret, and replaces one that an interrupted attempt left there. */
  async store(
    database: Queryable,
    { accountId, secretId, recordId, envelope }: StoredSecret,
  ): Promise<void> {
    const { keyVersion, wrappedKey, ciphertext } = rowOf(envelope);
    await database.query({
      name: this.#named('store'),
      text: `INSERT INTO ${this.#names.secrets}
               (account_id, secret_id, ${this.#names.recordColumn}, key_version, wrapped_key, ciphertext)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (account_id, secret_id) DO UPDATE SET
               key_version = excluded.key_version, wrapped_key = excluded.wrapped_key,
               ciphertext = excluded.ciphertext, sealed_at = now()`,
      values: [accountId, secretId, recordId, keyVersion, wrappedKey, ciphertext],
    });
  }

  /** Returns undefined if the secret is erased or never existed. */
  async find(
    database: Queryable,
    { accountId, secretId, recordId }: SecretPlace,
  ): Promise<Envelope | undefined> {
    const [row] = await database.query<Row>({
      name: this.#named('find'),
      text: `SELECT ${this.#columns} FROM ${this.#names.secrets}
             WHERE account_id = $1 AND secret_id = $2 AND ${this.#names.recordColumn} = $3`,
      values: [accountId, secretId, recordId],
    });
    return row && envelopeOf(row);
  }

  async erase(
    database: Queryable,
    { accountId, secretId }: Omit<SecretPlace, 'recordId'>,
  ): Promise<void> {
    await database.query({
      name: this.#named('erase'),
      text: `DELETE FROM ${this.#names.secrets} WHERE account_id = $1 AND secret_id = $2`,
      values: [accountId, secretId],
    });
  }

  /** Returns the secrets that another version of the key-encryption key wraps, after `afterSecretId`, in order. */
  async underOtherKeys(
    database: Queryable,
    { keyVersion, afterSecretId, limit }: SecretPage,
  ): Promise<readonly StoredSecret[]> {
    const rows = await database.query<Row>({
      name: this.#named('under-other-keys'),
      text: `SELECT ${this.#columns} FROM ${this.#names.secrets}
             WHERE key_version <> $1 AND secret_id > $2 ORDER BY secret_id LIMIT $3`,
      values: [keyVersion, afterSecretId, limit],
    });
    return rows.map(storedOf);
  }

  /** Returns the secrets that were sealed first. */
  async oldest(database: Queryable, limit: number): Promise<readonly StoredSecret[]> {
    const rows = await database.query<Row>({
      name: this.#named('oldest'),
      text: `SELECT ${this.#columns} FROM ${this.#names.secrets} ORDER BY sealed_at, secret_id LIMIT $1`,
      values: [limit],
    });
    return rows.map(storedOf);
  }

  /** Replaces the wrapping, unless the secret was changed or erased meanwhile. */
  async replaceWrapping(
    database: Queryable,
    { accountId, secretId, envelope }: StoredSecret,
    keyVersionBefore: string,
  ): Promise<void> {
    const { keyVersion, wrappedKey } = rowOf(envelope);
    await database.query({
      name: this.#named('replace-wrapping'),
      text: `UPDATE ${this.#names.secrets} SET key_version = $3, wrapped_key = $4
             WHERE account_id = $1 AND secret_id = $2 AND key_version = $5`,
      values: [accountId, secretId, keyVersion, wrappedKey, keyVersionBefore],
    });
  }

  /** Returns secrets that no record of the read model has, an hour after they were sealed. */
  async unused(database: Queryable, limit: number): Promise<readonly SecretPlace[]> {
    return await database.query<SecretPlace>({
      name: this.#named('unused'),
      text: `SELECT ${this.#place} FROM ${this.#names.secrets} AS secret
             WHERE sealed_at < now() - interval '1 hour'
               AND NOT EXISTS (
                 SELECT FROM ${this.#names.records} AS record
                 WHERE record.account_id = secret.account_id
                   AND record.secret_id = secret.secret_id
               )
             LIMIT $1`,
      values: [limit],
    });
  }

  /** Names a prepared statement: each table has its own. */
  #named(name: string): string {
    return `${name} ${this.#names.secrets}`;
  }
}

function storedOf({ accountId, secretId, recordId, ...sealed }: Row): StoredSecret {
  return { accountId, secretId, recordId, envelope: envelopeOf(sealed) };
}
