import { commandHandler, eventCodec, type EventStore } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { modelAliases } from '../domain/model-aliases/decide.ts';
import { modelAliasesStream } from '../domain/model-aliases/events.ts';

/** The storage format of the events of aliases. */
export const modelAliasesEvents = eventCodec(modelAliasesStream);

/** Handles the commands of aliases, those of each account under its id. */
export function modelAliasesHandler(store: EventStore) {
  return commandHandler(modelAliases, modelAliasesEvents, { store, eventId, retryPause });
}
