import { createHash } from 'node:crypto';

/** The namespace of all derived ids. It must never change: the ids are public. */
const namespace = Buffer.from('6ba7b8129dad11d180b400c04fd430c8', 'hex');

/**
 * The id of a workspace's default guardrail: a UUID v5 of the workspace's id, so that everybody knows
 * it before the guardrail exists. The workspace's id in any case of letters gives the same.
 */
export function defaultGuardrailId(workspaceId: string): string {
  const name = JSON.stringify(['default guardrail', workspaceId.toLowerCase()]);
  const digest = createHash('sha1').update(namespace).update(name).digest();
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
