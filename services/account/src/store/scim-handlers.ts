import { commandHandler, type EventStore, loadAggregate, type Loaded } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { scimDirectory } from '../domain/scim-directory/decide.ts';
import type { ScimDirectory } from '../domain/scim-directory/state.ts';
import { scimSync } from '../domain/scim-sync/decide.ts';
import { scimDirectoryEvents } from './scim-directory-events.ts';
import { scimSyncEvents } from './scim-sync-events.ts';

/** Handles the commands of directories, each under its account id. */
export function scimDirectoryHandler(store: EventStore) {
  return commandHandler(scimDirectory, scimDirectoryEvents, { store, eventId, retryPause });
}

/** Handles the commands of sync jobs, those of an organization under its account id. */
export function scimSyncHandler(store: EventStore) {
  return commandHandler(scimSync, scimSyncEvents, { store, eventId, retryPause });
}

/** The directory as it is in the log now. */
export async function loadScimDirectory(
  store: EventStore,
  accountId: string,
): Promise<Loaded<ScimDirectory>> {
  return loadAggregate(store, scimDirectory, scimDirectoryEvents, accountId);
}
