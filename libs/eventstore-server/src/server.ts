import { randomUUID } from 'node:crypto';
import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { GossipService } from '@sluice/protos/event_store/client/gossip';
import { ServerFeaturesService } from '@sluice/protos/event_store/client/server_features';
import type { Empty } from '@sluice/protos/event_store/client/shared';
import { StreamsService } from '@sluice/protos/event_store/client/streams';
import { openGates } from './log/append-log.ts';
import { appendHandler } from './rpc/append.ts';
import { authentication, type Credentials } from './rpc/authentication.ts';
import { batchAppendHandler } from './rpc/batch-append.ts';
import { deleteHandler, tombstoneHandler } from './rpc/delete.ts';
import { clusterInfo } from './rpc/gossip.ts';
import { readHandler } from './rpc/read.ts';
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
  /**
   * What is on disk is not known any more, after a failed fsync say. No append is taken after it;
   * the process should end and start again. Exits with a message when absent.
   */
  readonly onFatal?: (error: Error) => void;
}

export interface ServerTls {
  /** PEM. */
  readonly certificate: Buffer;
  /** PEM. */
  readonly privateKey: Buffer;
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
const stopTimeoutMs = 1_000;

/** The embedded single node. Rejects with DirectoryInUse, DamagedLog, or why it cannot listen. */
export async function startEventStoreServer(
  options: EventStoreServerOptions,
): Promise<EventStoreServer> {
  const { host, appendBytesMax, onFatal, tls } = { ...defaults, onFatal: exit, ...options };
  const nowMs = () => Date.now();
  const store = await EventLogStore.open({
    directory: options.directory,
    segmentBytesMax,
    cacheBytesMax,
    recentIdsMax,
    nowMs,
    onFatal,
    gates: openGates,
  });
  const stopping = new AbortController();
  const limits = { appendBytesMax, writeTimeoutMs };
  const messageBytesMax = Math.max(messageBytesMin, 2 * appendBytesMax);
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    interceptors: tls ? [authentication(tls.credentials ?? defaultCredentials)] : [],
  });
  server.addService(StreamsService, {
    read: readHandler(store, stopping.signal),
    append: appendHandler(store, limits),
    batchAppend: batchAppendHandler(store, limits, stopping.signal),
    delete: deleteHandler(store, limits),
    tombstone: tombstoneHandler(store, limits),
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: answering(supportedMethods),
  });
  const instanceId = randomUUID();
  server.addService(GossipService, {
    read: answering(() => clusterInfo({ instanceId, host, port, nowMs: nowMs() })),
  });
  let port: number;
  try {
    port = await listen(server, `${host}:${options.port}`, serverCredentials(tls));
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

function answering<Response>(answer: () => Response): handleUnaryCall<Empty, Response> {
  return (_call, callback) => callback(null, answer());
}

function serverCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const { certificate, privateKey } = tls;
  const pair = { cert_chain: certificate, private_key: privateKey };
  return ServerCredentials.createSsl(null, [pair]);
}

async function listen(
  server: Server,
  address: string,
  credentials: ServerCredentials,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(address, credentials, (error, port) =>
    error ? reject(new Error(`Cannot listen on ${address}`, { cause: error })) : resolve(port),
  );
  return await promise;
}

async function shutDown(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    server.forceShutdown();
    resolve();
  }, stopTimeoutMs);
  server.tryShutdown(() => resolve());
  await promise;
  clearTimeout(timer);
}

function exit(error: Error): never {
  process.stderr.write(`The event log cannot be written any more: ${error.message}\n`);
  process.exit(1);
}
