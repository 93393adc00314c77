import type { SupportedMethods } from '@sluice/protos/event_store/client/server_features';

/** The server whose behaviour this node follows. */
export const serverVersion = '24.6.0';

const streams = 'event_store.client.streams.streams';

/** Only what is served, in lower case, as clients look it up. */
export function supportedMethods(): SupportedMethods {
  const method = (serviceName: string, methodName: string, features: string[] = []) => ({
    serviceName,
    methodName,
    features,
  });
  return {
    eventStoreServerVersion: serverVersion,
    methods: [
      method(streams, 'read', ['position', 'events']),
      method(streams, 'append'),
      method(streams, 'batchappend', ['deadline_duration']),
      method(streams, 'delete'),
      method(streams, 'tombstone'),
      method('event_store.client.gossip.gossip', 'read'),
      method('event_store.client.server_features.serverfeatures', 'getsupportedmethods'),
    ],
  };
}
