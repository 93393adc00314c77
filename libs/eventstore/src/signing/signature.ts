import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventToAppend, RecordedEvent } from '@sluice/es';

/** The metadata field that holds the signature. */
const field = 'signature';
/** Stands for a revision that the writer did not know. */
const anyRevision = '*';
const pattern = /^(\*|\d{1,19})\.([A-Za-z0-9_-]{43})$/;

/** True for metadata of the form that Sluice writes. Any program may write it, so it proves nothing. */
export function hasOurForm(metadata: unknown): metadata is Readonly<Record<string, unknown>> {
  if (typeof metadata !== 'object' || metadata === null) return false;
  return 'schemaVersion' in metadata && 'commandId' in metadata && 'occurredAt' in metadata;
}

/**
 * Returns the event with a signature over its stream, revision, id, type, data and metadata. A copy in another stream,
 * or a second copy later in the same stream, is not valid.
 */
export function signEvent(
  key: string,
  stream: string,
  revision: bigint | undefined,
  event: EventToAppend,
): EventToAppend {
  const place = revision === undefined ? anyRevision : String(revision);
  const mac = macOf(key, [stream, place, event.id, event.type, event.data, event.metadata]);
  const metadata = { ...event.metadata, [field]: `${place}.${mac.toString('base64url')}` };
  return { ...event, metadata };
}

/** `none`: the event has no signature. */
export function checkSignature(
  key: string,
  event: Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>,
): 'valid' | 'wrong' | 'none' {
  if (!isSigned(event)) return 'none';
  const { [field]: signature, ...metadata } = event.metadata as Readonly<Record<string, unknown>>;
  const [, place, given = ''] = pattern.exec(String(signature)) ?? [];
  if (place !== anyRevision && place !== String(event.revision)) return 'wrong';
  const mac = macOf(key, [event.stream, place, event.id, event.type, event.data, metadata]);
  const sent = Buffer.from(given, 'base64url');
  return sent.length === mac.length && timingSafeEqual(sent, mac) ? 'valid' : 'wrong';
}

export function isSigned({ metadata }: Pick<RecordedEvent, 'metadata'>): boolean {
  return typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, field);
}

/** The store returns JSON as it was written, with the same order of names: the text is the same on both sides. */
function macOf(key: string, parts: readonly unknown[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}
