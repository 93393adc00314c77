import { commandHandler, type EventStore, loadAggregate, storeUntil } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { apiKey } from '../domain/api-key/decide.ts';
import type { ApiKey } from '../domain/api-key/state.ts';
import { apiKeyEvents } from './api-key-events.ts';

export type ApiKeyHandler = ReturnType<typeof apiKeyHandler>;

/** Handles the commands of keys, each key under its hash. */
export function apiKeyHandler(store: EventStore) {
  return commandHandler(apiKey, apiKeyEvents, { store, eventId, retryPause });
}

/** The key as it is in the log now. */
export async function loadApiKey(store: EventStore, hash: string): Promise<ApiKey> {
  return (await loadAggregate(store, apiKey, apiKeyEvents, hash)).state;
}

/** The key as its stream was at an instant. */
export async function loadApiKeyAt(
  store: Pick<EventStore, 'read'>,
  hash: string,
  instant: Date,
): Promise<ApiKey> {
  return (await loadAggregate(storeUntil(store, instant), apiKey, apiKeyEvents, hash)).state;
}
