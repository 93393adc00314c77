import {
  defaultNamespace,
  type EventStore,
  inNamespace,
  installationStream,
  streamOnDisk,
} from '@sluice/es';
import type { Tracing } from '@sluice/telemetry';
import { appender } from './append.ts';
import { Connection } from './connection.ts';
import { reader } from './read.ts';
import { allReader } from './read-all.ts';
import { type SignatureState, signedEventStore } from './signing/signed-event-store.ts';
import { Standing, type StoreStanding } from './standing.ts';
import { subscriber, type Warnings } from './subscribe.ts';
import { tracedAppend } from './traced-append.ts';

export interface ConnectOptions {
  /** `esdb://host:port?tls=false`, or any other connection string of the official client. */
  readonly url: string;
  /** Stands before the names of all streams; `sluice` when absent, empty for none. */
  readonly namespace?: string;
  /** Signs events, and recognizes forged ones; absent: neither. All processes of an installation have the same. */
  readonly eventKey?: string | undefined;
  /** Logs broken and resumed subscriptions. */
  readonly logger?: Warnings;
  /** Records a span per append of a request. Absent: none. */
  readonly tracing?: Tracing;
}

export interface ConnectedEventStore extends EventStore, SignatureState {
  /** Returns the state of the store by its last calls, without a call. */
  standing(): StoreStanding;
  /** Ends subscriptions without an error and gives the connection up. */
  stop(): Promise<void>;
}

/**
 * The port to EventStoreDB over the official client. Connects with the first call: a server that
 * is away makes calls fail, not this. Throws a fault for a URL that is none, or whose CA file cannot be read.
 */
export async function connectEventStore(options: ConnectOptions): Promise<ConnectedEventStore> {
  const connection = new Connection(options.url);
  const ended = new AbortController();
  const standing = new Standing();
  const store = {
    namespace: '',
    append: tracedAppend(appender(connection, ended.signal, standing), options.tracing),
    read: reader(connection, ended.signal, standing),
    ...allReader(connection, ended.signal, standing),
    subscribe: subscriber(connection, ended.signal, options.logger, standing),
    standing: () => standing.standing(),
    async stop() {
      ended.abort();
      await connection.stop();
    },
  };
  const namespace = options.namespace ?? defaultNamespace;
  const signed = signedEventStore(store, {
    key: options.eventKey,
    installationStream: streamOnDisk(namespace, installationStream),
  });
  return inNamespace(signed, namespace);
}
