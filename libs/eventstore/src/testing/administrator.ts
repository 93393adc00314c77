import { EventStoreDBClient, type StreamMetadata } from '@eventstore/db-client';

/** Does to whole streams what only people do, never a service. Names of streams are those on disk. */
export interface Administrator {
  /** The stream can begin again. */
  deleteStream(stream: string): Promise<void>;
  /** The stream can never begin again. */
  tombstone(stream: string): Promise<void>;
  setMetadata(stream: string, metadata: StreamMetadata): Promise<void>;
  stop(): Promise<void>;
}

export function administrator(url: string): Administrator {
  const client = EventStoreDBClient.connectionString(url);
  return {
    deleteStream: async (stream) => void (await client.deleteStream(stream)),
    tombstone: async (stream) => void (await client.tombstoneStream(stream)),
    setMetadata: async (stream, metadata) =>
      void (await client.setStreamMetadata(stream, metadata)),
    stop: () => client.dispose(),
  };
}
