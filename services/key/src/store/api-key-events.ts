import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyStream } from '../domain/api-key/events.ts';

/** The events of keys, those of each key under its hash. */
export const apiKeyEvents = aggregateEvents(apiKey, apiKeyStream, {
  ApiKeyIssued: [
    // In version 1 only the API and people made keys, and keys had no owner.
    (data) => ({
      ...data,
      externalUser: null,
      source: data['kind'] === 'management' ? 'dashboard' : 'api',
    }),
  ],
});
export type ApiKeyHandler = ReturnType<typeof apiKeyEvents.handler>;
