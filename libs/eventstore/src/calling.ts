import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@sluice/protos/event_store/client/streams';

/** The parts that the client's own calls are made of; it gives them to its subclasses only. */
export interface Calling {
  /** Runs a call. When it fails as a node that is gone does, the next call connects anew. */
  execute<Result>(
    service: typeof StreamsClient,
    name: string,
    call: (streams: StreamsClient) => Promise<Result>,
  ): Promise<Result>;
  callArguments(
    ofClient: object,
    ofCall: { readonly deadline: Date },
  ): [NonNullable<Parameters<StreamsClient['read']>[1]>, object];
}

export function callingOf(client: EventStoreDBClient): Calling {
  return client as unknown as Calling;
}

/** The gRPC status of a node that is not there. */
const unavailableStatus = 14;

/**
 * Leaves a connection on which nothing is heard: the next call asks the cluster anew which node to go to. A
 * node that hangs keeps its connection open, and the client would stay with it for 20 s.
 */
export async function leaveConnection(client: EventStoreDBClient): Promise<void> {
  const details = 'Nothing was heard from the event store';
  const lost = Object.assign(new Error(details), { code: unavailableStatus, details });
  try {
    await callingOf(client).execute(StreamsClient, 'leaveConnection', () => Promise.reject(lost));
  } catch {
    // It throws what it was given.
  }
}
