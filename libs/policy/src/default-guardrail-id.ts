import { createHash } from 'node:crypto';

/** A namespace of our own (RFC 9562): it must never change, the ids are public. */
const namespace = Buffer.from('8b0d3c6e1f0a4c1e9a6b5d2f7c4e8a13', 'hex');

/**
 * The id of a workspace's default guardrail: a UUID v5 of the workspace's id, so that everybody knows
 * it before the guardrail exists. The workspace's id in any case of letters gives the same.
 */
export function defaultGuardrailId(workspaceId: string): string {
  const digest = createHash('sha1').update(namespace).update(workspaceId.toLowerCase()).digest();
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
