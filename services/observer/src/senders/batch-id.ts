import { createHash } from 'node:crypto';
import type { Observed } from './sender.ts';

/** Returns a UUID of these generations: the same batch has the same one each time it is sent. */
export function batchId(batch: readonly Observed[], purpose: string): string {
  const hash = createHash('sha256').update(purpose);
  for (const { generation } of batch) hash.update(`\n${generation.generationId}`);
  return uuidOf(hash.digest());
}

/** Returns a UUID of version 8 that stands for a text. */
export function textId(text: string): string {
  return uuidOf(createHash('sha256').update(text).digest());
}

function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}
