import { eventCodec } from '@sluice/es';
import type { ApiKeyEvent } from '../domain/api-key/events.ts';

/** How the events of a key lie in streams `apiKey-<hash>`. */
export const apiKeyEvents = eventCodec<ApiKeyEvent>({
  current: {
    ApiKeyIssued: 1,
    ApiKeyRenamed: 1,
    ApiKeyDisabled: 1,
    ApiKeyEnabled: 1,
    ApiKeyLimitChanged: 1,
    ApiKeyLimitResetChanged: 1,
    ApiKeyByokInclusionChanged: 1,
    ApiKeyDeleted: 1,
  },
});

export const apiKeyStreamPrefix = 'apiKey-';

/** The hash that a stream of a key is named after. */
export function hashOfStream(stream: string): string {
  return stream.slice(apiKeyStreamPrefix.length);
}

/** True for the public handle of a key: only such a text may become part of a stream's name. */
export function isKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
