/** An envelope of `@sluice/envelope`. */
export interface Sealed {
  readonly keyVersion: string;
  readonly wrappedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** Returns the text that an envelope is stored as. */
export function writeEnvelope({ keyVersion, wrappedKey, ciphertext }: Sealed): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return JSON.stringify([keyVersion, base64(wrappedKey), base64(ciphertext)]);
}

/** Throws if the text is not of `writeEnvelope`. */
export function readEnvelope(text: string): Sealed {
  const [keyVersion, wrappedKey, ciphertext] = JSON.parse(text) as [string, string, string];
  return {
    keyVersion,
    wrappedKey: Buffer.from(wrappedKey, 'base64'),
    ciphertext: Buffer.from(ciphertext, 'base64'),
  };
}

/** Returns the id of the record that the contents of a generation are sealed for. */
export const contentsRecordId = (generationId: string) => `contents/${generationId}`;
