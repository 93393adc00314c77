import type {
  ReadResp,
  ReadResp_ReadEvent_RecordedEvent,
} from '@sluice/protos/event_store/client/streams';
import type { UUID } from '@sluice/protos/event_store/client/shared';
import type { StoredEvent } from '../store/stored-event.ts';
import type { ResolvedEvent } from '../store/link.ts';
import { idText } from '../store/uuid.ts';

export type UuidForm = 'string' | 'structured';

const ticksPerMs = 10_000;
const tombstoneRevision = 2n ** 63n - 1n;

/** Returns the payload bytes of the event in a message. 0: it carries no event. */
export function payloadBytes(message: unknown): number {
  const { content } = message as Partial<ReadResp>;
  if (content?.$case !== 'event') return 0;
  const { event, link } = content.value;
  return bytesOf(event) + bytesOf(link);
}

function bytesOf(event: ReadResp_ReadEvent_RecordedEvent | undefined): number {
  return event ? event.data.length + event.customMetadata.length : 0;
}

export function eventMessage({ event, link }: ResolvedEvent, uuids: UuidForm): ReadResp {
  const place = link ?? event;
  if (!place) throw new RangeError('a message needs an event or a link');
  const position = BigInt(place.position);
  return {
    content: {
      $case: 'event',
      value: {
        event: event && recordedEvent(event, uuids),
        link: link && recordedEvent(link, uuids),
        position: { $case: 'commitPosition', value: position },
      },
    },
  };
}

function recordedEvent(event: StoredEvent, uuids: UuidForm): ReadResp_ReadEvent_RecordedEvent {
  const { record } = event;
  const position = BigInt(event.position);
  return {
    id: wireId(record.id, uuids),
    streamIdentifier: { streamName: Buffer.from(event.stream) },
    streamRevision: event.revision === undefined ? tombstoneRevision : BigInt(event.revision),
    preparePosition: position,
    commitPosition: position,
    metadata: {
      type: record.type,
      created: String(BigInt(event.createdMs) * BigInt(ticksPerMs)),
      'content-type': record.json ? 'application/json' : 'application/octet-stream',
    },
    customMetadata: record.metadata,
    data: record.data,
  };
}

function wireId(id: Buffer, uuids: UuidForm): UUID {
  if (uuids === 'string') return { value: { $case: 'string', value: idText(id) } };
  const mostSignificantBits = id.readBigInt64BE(0);
  const leastSignificantBits = id.readBigInt64BE(8);
  return { value: { $case: 'structured', value: { mostSignificantBits, leastSignificantBits } } };
}
