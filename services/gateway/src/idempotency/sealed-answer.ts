import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const algorithm = 'aes-256-gcm';
const purpose = 'sluice idempotent answer 1';

/** The secret and the request that an answer is sealed for. */
export interface Seal {
  /** The secret of the API key that asked: nothing else opens the answer, and we do not keep it. */
  readonly secret: string;
  /** The request that the answer belongs to. The answer opens for no other. */
  readonly binding: string;
}

/** The answer as it may be kept: AES-256-GCM under a key that is derived from the caller's secret. */
export function sealAnswer({ secret, binding }: Seal, answer: Uint8Array): Buffer {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret, salt), nonce);
  cipher.setAAD(Buffer.from(binding));
  const sealed = Buffer.concat([cipher.update(answer), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

/** Returns undefined if another key asks, or if the answer was altered. */
export function openAnswer({ secret, binding }: Seal, sealed: Uint8Array): Buffer | undefined {
  const salt = sealed.subarray(0, saltBytes);
  const nonce = sealed.subarray(saltBytes, saltBytes + nonceBytes);
  const answerStart = saltBytes + nonceBytes + tagBytes;
  const tag = sealed.subarray(saltBytes + nonceBytes, answerStart);
  if (tag.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, keyOf(secret, salt), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(answerStart)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyOf(secret: string, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, keyBytes));
}
