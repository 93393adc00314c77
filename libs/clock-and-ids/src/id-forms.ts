/** True for a UUID in lower case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text);
}

/** True for the public handle of a key: only such a text may become part of a stream's name. */
export function isKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** True for the id of an account or a user. */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(text);
}
