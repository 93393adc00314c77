import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableEnvelope } from './key-management.ts';

const algorithm = 'aes-256-gcm';
/** The nonce length of GCM. Nonces are random: one key encrypts far fewer than 2^32 times. */
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: nonce, ciphertext and tag in one piece. The key has 32 bytes. */
export function encrypt(
  key: Uint8Array,
  plaintext: Uint8Array,
  associatedData: Uint8Array,
): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Throws UnreadableEnvelope when a bit of key, text or associated data is another one. */
export function decrypt(
  key: Uint8Array,
  sealed: Uint8Array,
  associatedData: Uint8Array,
): Uint8Array {
  const bytes = Buffer.from(sealed);
  if (bytes.length < nonceBytes + tagBytes) throw new UnreadableEnvelope('tampered');
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]);
  } catch {
    // Whatever the library says of it could say something of the text.
    throw new UnreadableEnvelope('tampered');
  }
}
