import { eventCodec } from '@sluice/es';
import type { ApiKeyEvent } from '../domain/api-key/events.ts';

/** How the events of a key lie in streams `apiKey-<hash>`. */
export const apiKeyEvents = eventCodec<ApiKeyEvent>({
  current: {
    ApiKeyIssued: 2,
    ApiKeyRenamed: 1,
    ApiKeyDisabled: 1,
    ApiKeyEnabled: 1,
    ApiKeyLimitChanged: 1,
    ApiKeyLimitResetChanged: 1,
    ApiKeyByokInclusionChanged: 1,
    ApiKeyDeleted: 1,
  },
  upcasters: {
    // In version 1 only the API and people made keys, and keys had no owner.
    ApiKeyIssued: {
      1: (data) => ({
        ...data,
        externalUser: null,
        source: data['kind'] === 'management' ? 'dashboard' : 'api',
      }),
    },
  },
});

export const apiKeyStreamPrefix = 'apiKey-';

/** The hash that a stream of a key is named after. */
export function hashOfStream(stream: string): string {
  return stream.slice(apiKeyStreamPrefix.length);
}
