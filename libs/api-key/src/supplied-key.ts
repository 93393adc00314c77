import { hash } from 'node:crypto';
import { inspectApiKey, type InspectedApiKey } from './api-key.ts';

/** A key that fits behind `Bearer`: 32 characters or more, so that it can be random enough. */
const pattern = /^[\x21-\x7e]{32,512}$/;
/** Such a text can only be a key of ours, whole or mistyped. */
const ownPrefix = /^[sm]k-sluice-/;
const entropyBitsMin = 96;
const shownLength = 3;

/**
 * True for a secret that a partner may supply instead of a minted one: long, printable, not
 * in our own form, and not made of a few characters over and over.
 */
export function isSuppliedKey(text: string): boolean {
  return pattern.test(text) && !ownPrefix.test(text) && entropyBits(text) >= entropyBitsMin;
}

/** Kind and public hash of what a caller presents: a key of ours, or one that was supplied. */
export function inspectPresentedKey(text: string): InspectedApiKey | undefined {
  const own = inspectApiKey(text);
  if (own) return own;
  return isSuppliedKey(text) ? { kind: 'regular', hash: hashOfSuppliedKey(text) } : undefined;
}

/** SHA-256, lower-case hex. */
export function hashOfSuppliedKey(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the part of a supplied key that may be shown: three characters of either end. */
export function maskSuppliedKey(secret: string): string {
  return `${secret.slice(0, shownLength)}...${secret.slice(-shownLength)}`;
}

/** Returns an upper bound of the text's entropy, computed from how often each character occurs. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits += count * Math.log2(text.length / count);
  return bits;
}
