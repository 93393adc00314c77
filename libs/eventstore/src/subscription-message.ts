import type { RecordedEvent, SubscriptionMessage } from '@sluice/es';
import type {
  ReadResp,
  ReadResp_ReadEvent_RecordedEvent,
} from '@sluice/protos/event_store/client/streams';

/** Reads a message of the server. undefined: no reader needs it. Throws if no server sends it. */
export function messageOf({ content }: ReadResp): SubscriptionMessage | undefined {
  switch (content?.$case) {
    case 'event': {
      // Without one it is a link whose event is gone.
      const { event } = content.value;
      return event && { kind: 'event', event: recordedEvent(event) };
    }
    case 'checkpoint': {
      const { commitPosition: commit, preparePosition: prepare } = content.value;
      return { kind: 'checkpoint', position: { commit, prepare } };
    }
    case 'caughtUp':
      return { kind: 'caught_up' };
    default:
      return undefined;
  }
}

const jsonContent = 'application/json';
/** The last four digits of ticks of 100 ns are less than a millisecond. */
const digitsBelowMs = 4;

function recordedEvent(event: ReadResp_ReadEvent_RecordedEvent): RecordedEvent {
  const { id, streamIdentifier, metadata } = event;
  if (id?.value?.$case !== 'string' || !streamIdentifier)
    throw new Error('An event came without an id or a stream');
  return {
    id: id.value.value,
    type: metadata['type'] ?? '',
    stream: streamIdentifier.streamName.toString('utf8'),
    revision: event.streamRevision,
    position: { commit: event.commitPosition, prepare: event.preparePosition },
    data: metadata['content-type'] === jsonContent ? jsonOf(event.data) : event.data,
    metadata: event.customMetadata.length === 0 ? undefined : jsonOf(event.customMetadata),
    recordedAt: new Date(Number((metadata['created'] ?? '').slice(0, -digitsBelowMs))),
  };
}

/** Parses JSON. Other bytes stay a text, which the reader of the event refuses. */
function jsonOf(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
