import type { Envelope } from '@sluice/envelope';

/** An envelope as a row has it: its bytes in base64. */
export interface SealedRow {
  readonly keyVersion: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

export function envelopeOf(row: SealedRow): Envelope {
  return {
    keyVersion: row.keyVersion,
    wrappedKey: Buffer.from(row.wrappedKey, 'base64'),
    ciphertext: Buffer.from(row.ciphertext, 'base64'),
  };
}

export function rowOf({ keyVersion, wrappedKey, ciphertext }: Envelope): SealedRow {
  return { keyVersion, wrappedKey: base64(wrappedKey), ciphertext: base64(ciphertext) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
