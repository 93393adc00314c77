import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Server, type handleUnaryCall } from '@grpc/grpc-js';
import { GossipService } from '@sluice/protos/event_store/client/gossip';
import { ServerFeaturesService } from '@sluice/protos/event_store/client/server_features';
import type { Empty } from '@sluice/protos/event_store/client/shared';
import { StreamsService } from '@sluice/protos/event_store/client/streams';
import { noFaults, type FaultSwitches } from './fault-switches.ts';
import { openGates } from './log/append-log.ts';
import { listen, shutDown, type KeyPair } from './listening.ts';
import { appendHandler } from './rpc/append.ts';
import { authentication, type Credentials } from './rpc/authentication.ts';
import { batchAppendHandler } from './rpc/batch-append.ts';
import { deleteHandler, tombstoneHandler } from './rpc/delete.ts';
import { faultInjection } from './rpc/fault-injection.ts';
import { clusterInfo } from './rpc/gossip.ts';
import { readHandler } from './rpc/read.ts';
import { payloadBytes } from './rpc/recorded-event.ts';
import { sendingAhead } from './rpc/sending-ahead.ts';
import { supportedMethods } from './rpc/server-features.ts';
import { EventLogStore } from './store/event-log-store.ts';

export interface EventStoreServerOptions {
  /** Made when absent. One node at a time may use it. */
  readonly directory: string;
  /** 127.0.0.1 when absent. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Of one append; 1 MiB when absent. */
  readonly appendBytesMax?: number;
  /** Encrypts, and asks each call for credentials. Without it credentials are ignored. */
  readonly tls?: ServerTls | undefined;
  /** For tests: `noFaults()` with something switched on, now or later. */
  readonly faults?: FaultSwitches;
  /**
   * What is on disk is not known any more, after a failed fsync say. No append is taken after it;
   * the process should end and start again. Exits with a message when absent.
   */
  readonly onFatal?: (error: Error) => void;
}

export interface ServerTls extends KeyPair {
  /** `admin` and `changeit` when absent, as on a new real node. */
  readonly credentials?: Credentials;
}

export interface EventStoreServer {
  readonly port: number;
  /** Answers what was accepted, ends subscriptions with UNAVAILABLE, gives the directory free. */
  stop(): Promise<void>;
}

const mebibyte = 1024 * 1024;
const defaults = { host: '127.0.0.1', appendBytesMax: mebibyte } as const;
const defaultCredentials = { username: 'admin', password: 'changeit' } as const;
const segmentBytesMax = 64 * mebibyte;
const cacheBytesMax = 32 * mebibyte;
const recentIdsMax = 65_536;
const writeTimeoutMs = 2_000;
/** Clients send appends in chunks of 3 MiB; the limit of one append is checked after that. */
const messageBytesMin = 8 * mebibyte;
const everywhere: readonly string[] = ['0.0.0.0', '::'];

/** The embedded single node. Rejects with DirectoryInUse, DamagedLog, or why it cannot listen. */
export async function startEventStoreServer(
  options: EventStoreServerOptions,
): Promise<EventStoreServer> {
  const { host, appendBytesMax, onFatal, tls } = { ...defaults, onFatal: exit, ...options };
  const { faults = noFaults() } = options;
  const nowMs = () => Date.now();
  const store = await EventLogStore.open({
    directory: options.directory,
    segmentBytesMax,
    cacheBytesMax,
    recentIdsMax,
    nowMs,
    onFatal,
    gates: { ...openGates, beforeSync: slowed(faults) },
    faults,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const context = { store, faults, stopping: signal, appendBytesMax, writeTimeoutMs };
  const messageBytesMax = Math.max(messageBytesMin, 2 * appendBytesMax);
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    interceptors: [
      ...(tls ? [authentication(tls.credentials ?? defaultCredentials)] : []),
      ...(options.faults ? [faultInjection(options.faults)] : []),
      sendingAhead(payloadBytes),
    ],
  });
  server.addService(StreamsService, {
    read: readHandler(context),
    append: appendHandler(context),
    batchAppend: batchAppendHandler(context),
    delete: deleteHandler(context),
    tombstone: tombstoneHandler(context),
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: answering(supportedMethods),
  });
  const instanceId = randomUUID();
  const advertised = everywhere.includes(host) ? defaults.host : host;
  server.addService(GossipService, {
    read: answering(() => clusterInfo({ instanceId, host: advertised, port, nowMs: nowMs() })),
  });
  let port: number;
  try {
    port = await listen(server, `${host}:${options.port}`, tls);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    port,
    stop: async () => {
      stopping.abort();
      await shutDown(server);
      await store.close();
    },
  };
}

function slowed(faults: FaultSwitches) {
  return async (): Promise<void> => {
    if (faults.syncDelayMs > 0) await delay(faults.syncDelayMs);
  };
}

function answering<Response>(answer: () => Response): handleUnaryCall<Empty, Response> {
  return (_call, callback) => callback(null, answer());
}

function exit(error: Error): never {
  process.stderr.write(`The event log cannot be written any more: ${error.message}\n`);
  process.exit(1);
}
