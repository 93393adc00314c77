import type { Rejection } from '@sluice/errors';
import { eventCodec, type Upcasters } from './codec.ts';
import {
  type CommandContext,
  commandHandler,
  type CommandHandlerDependencies,
  type CommandHandlerOptions,
  eventsToAppend,
  loadAggregate,
} from './command-handler.ts';
import type { Decider } from './decider.ts';
import type { EventStore } from './event-store.ts';
import type { EventOf, StreamSchema } from './stream-schema.ts';

/**
 * Returns a function from an aggregate to its events: their storage format, the handler of its commands, and the state
 * that the events of one stream give.
 */
export function aggregateEventsWith(given: Omit<CommandHandlerDependencies, 'store'>) {
  return <Command, State, Stream extends StreamSchema, R extends Rejection>(
    decider: Decider<Command, State, EventOf<Stream>, R>,
    stream: Stream,
    upcasters: Upcasters<keyof Stream['events'] & string> = {},
  ) => {
    const codec = eventCodec(stream, upcasters);
    return {
      ...codec,
      decider,
      /** Returns events as the store takes them, for a command that needs no state. */
      toAppend: (events: readonly EventOf<Stream>[], context: CommandContext) =>
        eventsToAppend({ codec, ...given }, events, context),
      /** Returns the id that a stream is named after. */
      idOf: (name: string): string => name.slice(codec.streamPrefix.length),
      /** Returns the handler of commands, each with the id of its stream. */
      handler: (store: EventStore, known?: CommandHandlerOptions<Command, State>['known']) =>
        commandHandler(decider, codec, { ...given, store, ...(known && { known }) }),
      /** Folds a stream as it is in the log now. Says whether the command made an event of it. */
      load: (store: Pick<EventStore, 'read'>, id: string, commandId?: string) =>
        loadAggregate(store, decider, codec, id, commandId),
    };
  };
}
