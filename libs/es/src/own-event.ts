import type { RecordedEvent } from './event-store.ts';

/**
 * True for an event with the metadata that every command handler writes. All others are of somebody else, or of the
 * store itself (`$metadata`, `$streamDeleted`): they count for the revision of a stream and for nothing more.
 */
export function isOwnEvent({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): boolean {
  if (type.startsWith('$') || typeof metadata !== 'object' || metadata === null) return false;
  return 'schemaVersion' in metadata && 'commandId' in metadata && 'occurredAt' in metadata;
}
