/** The first 48 bits of the hash fit a number exactly. */
const hexDigits = 12;

/** Exceeds the numeric id of each key. */
export const numericIdEnd = 16 ** hexDigits;

/** Returns the numeric id of the key with this hash (hex). It is a function of the hash, and stays for ever. */
export function numericIdOf(keyHash: string): number {
  return Number.parseInt(keyHash.slice(0, hexDigits), 16);
}
