import type { RecordedEvent } from './event-store.ts';

/**
 * True for an event with the metadata that every command handler writes. Other events come from other programs or from
 * the store itself (`$metadata`, `$streamDeleted`), are forged, or are skipped by an operator.
 * They count for the revision of a stream and for nothing else.
 */
export function isOwnEvent({
  type,
  metadata,
  leftOut,
}: Pick<RecordedEvent, 'type' | 'metadata' | 'leftOut'>): boolean {
  if (
    leftOut !== undefined ||
    type.startsWith('$') ||
    typeof metadata !== 'object' ||
    metadata === null
  )
    return false;
  return 'schemaVersion' in metadata && 'commandId' in metadata && 'occurredAt' in metadata;
}
