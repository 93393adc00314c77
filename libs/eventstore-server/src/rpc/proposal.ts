import type { StreamIdentifier, UUID } from '@sluice/protos/event_store/client/shared';
import { eventTypeBytesMax, streamNameBytesMax, type ProposedEvent } from '../log/frame.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { idBytes, isUuid } from '../store/uuid.ts';
import { emptyArgument, invalidArgument, type Refusal } from './refusal.ts';

const noId = Buffer.alloc(16);

/** The common fields of all messages that propose an event. */
interface ProposedMessage {
  readonly id: UUID | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata: Buffer;
  readonly data: Buffer;
}

/**
 * Throws a refusal for an id that is none or zero, for an empty type, and the one of `missing` for a type or a content
 * type that is not there.
 */
export function proposedEvent(
  message: ProposedMessage,
  missing: (property: string) => Refusal,
): ProposedEvent {
  const type = message.metadata['type'];
  const contentType = message.metadata['content-type'];
  if (type === undefined) throw missing('type');
  if (contentType === undefined) throw missing('content-type');
  const id = wireIdBytes(message.id);
  if (id.equals(noId)) throw emptyArgument('eventId');
  if (type === '') throw emptyArgument('eventType');
  if (Buffer.byteLength(type) > eventTypeBytesMax) throw invalidArgument('The type is too long.');
  return {
    id,
    type,
    json: contentType === 'application/json',
    metadata: message.customMetadata,
    data: message.data,
  };
}

/** Returns the size that a real node counts against the limit of one append. */
export function sizeOf({ type, metadata, data }: ProposedEvent): number {
  return 2 * type.length + metadata.length + data.length;
}

export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  const bytes = identifier?.streamName;
  const name = bytes?.toString('utf8') ?? '';
  if (name === '' || name === '$$') throw invalidArgument(`'${name}' is not a stream name.`);
  if (bytes && bytes.length > streamNameBytesMax) throw invalidArgument('The name is too long.');
  return name;
}

/** The oneofs of all requests have the same cases; only the one for a revision has two names. */
export function expectedRevisionOf(
  option:
    | { readonly $case: 'revision' | 'streamPosition'; readonly value: bigint }
    | { readonly $case: 'noStream' | 'any' | 'streamExists' }
    | undefined,
): ExpectedRevision {
  switch (option?.$case) {
    case 'revision':
    case 'streamPosition':
      return Number(option.value);
    case 'noStream':
      return 'no_stream';
    case 'streamExists':
      return 'stream_exists';
    case 'any':
      return 'any';
    case undefined:
      throw invalidArgument('An expected revision is required.');
  }
}

/** The numbers that stand for expectations in trailing metadata. */
export function expectedVersionNumber(expected: ExpectedRevision): number {
  if (expected === 'no_stream') return -1;
  if (expected === 'any') return -2;
  return expected === 'stream_exists' ? -4 : expected;
}

function wireIdBytes(id: UUID | undefined): Buffer {
  const { value } = id ?? {};
  if (value?.$case === 'string' && isUuid(value.value)) return idBytes(value.value);
  if (value?.$case !== 'structured') throw invalidArgument('An event id is missing or no UUID.');
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(value.value.mostSignificantBits, 0);
  bytes.writeBigInt64BE(value.value.leastSignificantBits, 8);
  return bytes;
}
