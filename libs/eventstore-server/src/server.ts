import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Server, type handleUnaryCall } from '@grpc/grpc-js';
import { GossipService } from '@sluice/protos/event_store/client/gossip';
import { ServerFeaturesService } from '@sluice/protos/event_store/client/server_features';
import type { Empty } from '@sluice/protos/event_store/client/shared';
import { StreamsService } from '@sluice/protos/event_store/client/streams';
import type { KeyPair } from './access/certificates.ts';
import {
  authorityFileIn,
  connectionString,
  everywhere,
  insecureConnectionString,
  keepNodeAccess,
  requireLoopback,
  type NodeAccess,
} from './access/node-access.ts';
import { noFaults, type FaultSwitches } from './fault-switches.ts';
import { openGates } from './log/append-log.ts';
import type { Recovery } from './log/lost-events.ts';
import { listen, shutDown } from './listening.ts';
import { appendHandler } from './rpc/append.ts';
import { authentication } from './rpc/authentication.ts';
import { batchAppendHandler } from './rpc/batch-append.ts';
import { deleteHandler, tombstoneHandler } from './rpc/delete.ts';
import { faultInjection } from './rpc/fault-injection.ts';
import { freezing } from './rpc/freezing.ts';
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
  /** The greatest size of one append. 1 MiB if absent. */
  readonly appendBytesMax?: number;
  /** Holds the password, the authority and the certificate of the node: `secrets` below `directory` when absent. */
  readonly secretsDirectory?: string;
  /** A certificate that clients trust already, instead of one of the node's own authority. */
  readonly keyPair?: KeyPair | undefined;
  /**
   * Serve without TLS and without a user, to clients on this machine alone: a host that is not a loopback address is
   * refused. For the answers of an unsecured EventStoreDB, and for nothing that matters.
   */
  readonly insecure?: boolean;
  /**
   * Start although acknowledged events are missing at the end of the log. Without it such a log is refused with
   * LostEvents.
   */
  readonly acceptLoss?: boolean;
  /**
   * Give no answer to an append of events that another append is just writing, and `Timeout` after 2 s, as a real node
   * does; true when absent.
   */
  readonly silentDuplicates?: boolean;
  /** For tests: `noFaults()` with something switched on, now or later. */
  readonly faults?: FaultSwitches;
  /**
   * Called when the content of the disk is not known any more, for example after a failed fsync. The node then takes
   * no append. The process should end and start again. If absent, the process exits with a message.
   */
  readonly onFatal?: (error: Error) => void;
}

export interface EventStoreServer {
  readonly port: number;
  /** The connection string for clients. It holds the password: never log it. */
  readonly url: string;
  /** The part that recovery cut off, and the events that were lost. */
  readonly recovery: Recovery;
  /** Answers what was accepted, ends subscriptions with UNAVAILABLE, gives the directory free. */
  stop(): Promise<void>;
}

const mebibyte = 1024 * 1024;
const defaults = { host: '127.0.0.1', appendBytesMax: mebibyte } as const;
const segmentBytesMax = 64 * mebibyte;
const cacheBytesMax = 32 * mebibyte;
const recentIdsMax = 65_536;
const writeTimeoutMs = 2_000;
/**
 * Clients send appends in chunks of 3 MiB, and a large event in a chunk of its own. A message beyond this limit ends
 * the call, with all other appends in it; one below it fails alone, by the limit of an append.
 */
const messageBytesMin = 64 * mebibyte;

/** The embedded single node. Rejects with DirectoryInUse, DamagedLog, LostEvents, or why it cannot listen. */
export async function startEventStoreServer(
  options: EventStoreServerOptions,
): Promise<EventStoreServer> {
  const { host, appendBytesMax, onFatal } = { ...defaults, onFatal: exit, ...options };
  const { directory, secretsDirectory = join(directory, 'secrets') } = options;
  const { faults = noFaults(), acceptLoss = false, insecure = false } = options;
  const { silentDuplicates = true } = options;
  if (insecure) requireLoopback(host);
  const nowMs = () => Date.now();
  const store = await EventLogStore.open({
    directory,
    segmentBytesMax,
    cacheBytesMax,
    recentIdsMax,
    nowMs,
    onFatal,
    acceptLoss,
    report: (sentence) => void process.stderr.write(`${sentence}\n`),
    silentDuplicates,
    gates: { ...openGates, beforeSync: slowed(faults) },
    faults,
  });
  try {
    if (insecure) {
      const serving = { ...options, host, appendBytesMax, access: undefined };
      const { port, stop } = await serve(store, serving);
      const url = insecureConnectionString({ host, port });
      return { port, url, recovery: store.recovery, stop };
    }
    const kept = await keepNodeAccess(secretsDirectory, host, nowMs());
    const access = { ...kept, ...options.keyPair };
    const { port, stop } = await serve(store, { ...options, host, appendBytesMax, access });
    const { credentials } = access;
    const authorityFile = options.keyPair ? undefined : authorityFileIn(secretsDirectory);
    const url = connectionString({ credentials, host, port, authorityFile });
    return { port, url, recovery: store.recovery, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly appendBytesMax: number;
  /** Undefined for a node without TLS and without a user. */
  readonly access: NodeAccess | undefined;
  readonly faults?: FaultSwitches;
}

async function serve(store: EventLogStore, options: ServeOptions) {
  const { host, appendBytesMax, access, faults = noFaults() } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const secured = access !== undefined;
  const context = { store, faults, secured, stopping: signal, appendBytesMax, writeTimeoutMs };
  const server = new Server({
    'grpc.max_receive_message_length': Math.max(messageBytesMin, 2 * appendBytesMax),
    interceptors: [
      ...(access ? [authentication(access.credentials)] : []),
      ...(options.faults ? [freezing(options.faults), faultInjection(options.faults)] : []),
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
  const member = { instanceId: randomUUID(), host: reachable(host) };
  server.addService(GossipService, {
    read: answering(() => clusterInfo({ ...member, port, nowMs: store.nowMs() })),
  });
  const port = await listen(server, `${host}:${options.port}`, access);
  return {
    port,
    stop: async () => {
      stopping.abort();
      await shutDown(server);
      await store.close();
    },
  };
}

/** Returns the address under which clients reach the node. */
function reachable(host: string): string {
  return everywhere.includes(host) ? defaults.host : host;
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
