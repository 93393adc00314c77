import type { Envelope } from '@sluice/envelope';
import type { Queryable } from '@sluice/read-model';
import { envelopeOf, rowOf, type SealedRow } from './sealed-row.ts';

const columns = `key_version AS "keyVersion", wrapped_key AS "wrappedKey", ciphertext`;

/** Stores the value unless there is one. Returns what the database has: with several writers, that of the first. */
export async function storeKeyCheck(database: Queryable, envelope: Envelope): Promise<Envelope> {
  const { keyVersion, wrappedKey, ciphertext } = rowOf(envelope);
  await database.query({
    name: 'store-envelope-key-check',
    text: `INSERT INTO envelope_key_check (key_version, wrapped_key, ciphertext)
           VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [keyVersion, wrappedKey, ciphertext],
  });
  return (await findKeyCheck(database)) ?? envelope;
}

export async function findKeyCheck(database: Queryable): Promise<Envelope | undefined> {
  const [row] = await database.query<SealedRow>({
    name: 'find-envelope-key-check',
    text: `SELECT ${columns} FROM envelope_key_check`,
    values: [],
  });
  return row && envelopeOf(row);
}

/** Replaces the wrapping, unless another process has. */
export async function rewrapKeyCheck(
  database: Queryable,
  envelope: Envelope,
  keyVersionBefore: string,
): Promise<void> {
  const { keyVersion, wrappedKey } = rowOf(envelope);
  await database.query({
    name: 'rewrap-envelope-key-check',
    text: 'UPDATE envelope_key_check SET key_version = $1, wrapped_key = $2 WHERE key_version = $3',
    values: [keyVersion, wrappedKey, keyVersionBefore],
  });
}
