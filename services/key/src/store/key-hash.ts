/** True for the public handle of a key: only such a text may become part of a stream's name. */
export function isKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
