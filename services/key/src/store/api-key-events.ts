import { eventCodec } from '@sluice/es';
import { apiKeyStream } from '../domain/api-key/events.ts';

/** The storage format of the events of a key. */
export const apiKeyEvents = eventCodec(apiKeyStream, {
  ApiKeyIssued: [
    // In version 1 only the API and people made keys, and keys had no owner.
    (data) => ({
      ...data,
      externalUser: null,
      source: data['kind'] === 'management' ? 'dashboard' : 'api',
    }),
  ],
});

/** The hash that a stream of a key is named after. */
export function hashOfStream(stream: string): string {
  return stream.slice(apiKeyEvents.streamPrefix.length);
}
