import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './authenticated-cipher.ts';
import type { KeyManagement } from './key-management.ts';

/** Whose secret it is: what is sealed for one record opens as no other. */
export interface Owner {
  readonly accountId: string;
  readonly recordId: string;
}

/** A sealed secret, as it may lie anywhere. Bytes, for a database to hold. */
export interface Envelope {
  readonly keyVersion: string;
  readonly wrappedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

const dataKeyBytes = 32;
/** Contents of a generation are the longest. */
const plaintextBytesMax = 256 * 1024;

/** Seals a secret under a data key of its own, wrapped by the newest key-encryption key. */
export async function seal(
  keys: KeyManagement,
  owner: Owner,
  plaintext: Uint8Array,
): Promise<Envelope> {
  if (plaintext.length > plaintextBytesMax)
    throw new RangeError(`a secret has at most ${plaintextBytesMax} bytes`);
  const dataKey = randomBytes(dataKeyBytes);
  try {
    const associatedData = associatedDataOf(owner);
    const { keyVersion, wrapped: wrappedKey } = await keys.wrap(dataKey, associatedData);
    const ciphertext = encrypt(dataKey, plaintext, associatedData);
    return { keyVersion, wrappedKey, ciphertext };
  } finally {
    dataKey.fill(0);
  }
}

/** Throws UnreadableEnvelope: altered, sealed for another owner, or the key is lost. */
export async function open(
  keys: KeyManagement,
  owner: Owner,
  { keyVersion, wrappedKey: wrapped, ciphertext }: Envelope,
): Promise<Uint8Array> {
  const associatedData = associatedDataOf(owner);
  const dataKey = await keys.unwrap({ keyVersion, wrapped }, associatedData);
  try {
    return decrypt(dataKey, ciphertext, associatedData);
  } finally {
    dataKey.fill(0);
  }
}

/**
 * The same secret under the newest key-encryption key; the ciphertext stays. undefined: it is already.
 * Throws as `open` does.
 */
export async function rewrap(
  keys: KeyManagement,
  owner: Owner,
  envelope: Envelope,
): Promise<Envelope | undefined> {
  const { keyVersion, wrappedKey } = envelope;
  if (keyVersion === (await keys.newestVersion())) return undefined;
  const associatedData = associatedDataOf(owner);
  const dataKey = await keys.unwrap({ keyVersion, wrapped: wrappedKey }, associatedData);
  try {
    const again = await keys.wrap(dataKey, associatedData);
    return { ...envelope, keyVersion: again.keyVersion, wrappedKey: again.wrapped };
  } finally {
    dataKey.fill(0);
  }
}

/** Joins the ids as a JSON list, so that no two owners have the same bytes. */
function associatedDataOf({ accountId, recordId }: Owner): Uint8Array {
  return Buffer.from(JSON.stringify(['sluice envelope 1', accountId, recordId]));
}
