import type { AllStreamRecordedEvent, RecordedEvent as ClientEvent } from '@eventstore/db-client';
import type { RecordedEvent } from '@sluice/es';

/** The client's event in our words. Every event that the server sends has a position. */
export function recorded(event: ClientEvent | AllStreamRecordedEvent): RecordedEvent {
  const { id, type, streamId, revision, data, metadata, created, position } = event;
  if (!position) throw new Error(`event ${id} came without a position`);
  return { id, type, stream: streamId, revision, position, data, metadata, recordedAt: created };
}
