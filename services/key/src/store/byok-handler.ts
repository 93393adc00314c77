import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { byok } from '../domain/byok/decide.ts';
import { byokEvents } from './byok-events.ts';

export type ByokHandler = ReturnType<typeof byokHandler>;

/** Handles the commands about provider credentials, all those of an account under its id. */
export function byokHandler(store: EventStore) {
  return commandHandler(byok, byokEvents, { store, eventId, retryPause });
}

/** The credentials of an account as they are in the log now, and whether the command made them so. */
export async function loadByok(store: EventStore, accountId: string, commandId?: string) {
  return loadAggregate(store, byok, byokEvents, accountId, commandId);
}
