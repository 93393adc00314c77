import type { LogPlace } from '../queries/read-fact-log.ts';

const pattern = /^([1-9]\d{0,17})\/([1-9]\d{0,5})\/([\x21-\x7e]{1,256})$/;

/**
 * Returns the cursor behind an entry. It names the fact, so that a ledger that was restored, and has another one there,
 * does not go on from it.
 */
export function writeCursor({ position, place, usageId }: LogPlace): string {
  return `${position}/${place}/${usageId}`;
}

/** Returns undefined if the cursor is malformed. */
export function readCursor(text: string): LogPlace | undefined {
  const [, position, place, usageId] = pattern.exec(text) ?? [];
  if (position === undefined || place === undefined || usageId === undefined) return undefined;
  return { position: BigInt(position), place: BigInt(place), usageId };
}
