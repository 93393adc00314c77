import { jetstream, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Fault } from '@sluice/errors';
import type { Bus, BusLogger, ConsumeOptions, StreamDefinition } from './bus.ts';
import { consumeDurable } from './consume-durable.ts';
import { assertSynced } from './durability.ts';
import { type FactPublisher, factPublisher } from './fact-publisher.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { encode, toMessage } from './message.ts';
import { noticePublisher } from './notices/notice-publisher.ts';
import { readNotices } from './notices/notice-reader.ts';
import { ensureStream, holdsFact, placeOf } from './streams.ts';
import { noticeStream } from './subjects.ts';

export interface NatsBusOptions {
  readonly logger: BusLogger;
  readonly monitorUrl: string | undefined;
}

const requestTimeoutMs = 5_000;
const stopTimeoutMs = 3_000;
const flushTimeoutMs = 2_000;
/** Best-effort messages that the client keeps while the broker is away. */
const messagesAwayMax = 10_000;

/** The port on one NATS connection, which it owns from now on. */
export function natsBus(connection: NatsConnection, { logger, monitorUrl }: NatsBusOptions): Bus {
  const client = jetstream(connection, { timeout: requestTimeoutMs });
  const manager = jetstreamManager(connection, { timeout: requestTimeoutMs, checkAPI: false });
  manager.catch(() => {});
  const definitions = new Map<string, StreamDefinition>();
  const stopping = new AbortController();
  const consuming = new Set<Promise<void>>();
  const state = watch(connection, logger);
  const heartbeat = beat(connection, state, logger);
  const publisher = factPublisher(client, {
    timeoutMs: requestTimeoutMs,
    isConnected: () => state.connected,
  });
  const ensure = (definition: StreamDefinition) =>
    faultFrom(async () => ensureStream(await manager, definition));

  return {
    publish(subject, message) {
      if (connection.isClosed() || connection.isDraining()) return;
      if (!state.connected && ++state.publishedAway > messagesAwayMax) return;
      connection.publish(subject, encode(message));
    },
    publishFact: (subject, id, message) => publisher.publish(subject, id, message),
    ...noticesOf({
      state,
      manager,
      publisher,
      signal: stopping.signal,
      makeStream: () => ensure(noticeStream),
    }),
    holdsFact: (id, stored) => faultFrom(async () => holdsFact(await manager, id, stored)),
    placeOf: (consumer) => faultFrom(async () => placeOf(await manager, consumer)),
    async subscribe(subject, handler, { signal }) {
      if (signal.aborted) return;
      listen(connection, { subject, handler, signal, logger });
      if (state.connected) await faultFrom(() => connection.flush());
    },
    async consume<Read>(options: ConsumeOptions<Read>) {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const prepare = async () => {
        const definition = definitions.get(options.stream);
        if (definition) await ensure(definition);
      };
      const ended = consumeDurable(
        { client, manager: await manager, prepare, logger },
        { ...options, signal },
      );
      consuming.add(ended);
      await ended.finally(() => consuming.delete(ended));
    },
    async ensureStream(definition) {
      await ensure(definition);
      definitions.set(definition.name, definition);
    },
    flush: () => flush(connection, state),
    isConnected: () => state.connected,
    isReceiving: () => state.connected && heartbeat.isAlive(),
    onReconnect(callback) {
      state.callbacks.add(callback);
      return () => void state.callbacks.delete(callback);
    },
    assertDurable: () => assertSynced(monitorUrl, logger),
    async stop() {
      stopping.abort();
      heartbeat.stop();
      await within(Promise.allSettled(consuming), stopTimeoutMs);
      await close(connection, state.connected);
    },
  };
}

async function flush(connection: NatsConnection, { connected }: ConnectionState): Promise<void> {
  if (!connected) throw new Fault('bus_unavailable');
  const taken = faultFrom(async () => (await connection.flush(), true));
  if ((await within(taken, flushTimeoutMs)) !== true) throw new Fault('bus_unavailable');
}

interface NoticeParts {
  readonly state: ConnectionState;
  readonly manager: Promise<JetStreamManager>;
  readonly publisher: FactPublisher;
  readonly signal: AbortSignal;
  readonly makeStream: () => Promise<void>;
}

function noticesOf(parts: NoticeParts): Pick<Bus, 'publishNotice' | 'readNotices'> {
  const { state, manager, publisher, signal, makeStream } = parts;
  return {
    publishNotice: noticePublisher({
      store: (subject, id, message) => publisher.publish(subject, id, message),
      makeStream,
      signal,
    }),
    readNotices: (after) =>
      faultFrom(async () => {
        if (!state.connected) throw new Fault('bus_unavailable');
        return readNotices(await manager, after, makeStream);
      }),
  };
}

interface ConnectionState {
  connected: boolean;
  /** Called with each new connection, before the callbacks. */
  onConnected: () => void;
  publishedAway: number;
  readonly callbacks: Set<() => void>;
}

function watch(connection: NatsConnection, logger: BusLogger): ConnectionState {
  const state: ConnectionState = {
    connected: true,
    onConnected: () => {},
    publishedAway: 0,
    callbacks: new Set(),
  };
  const follow = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        state.connected = false;
        logger.warn('lost the message bus', { address: status.server });
      } else if (status.type === 'reconnect') {
        state.connected = true;
        state.publishedAway = 0;
        state.onConnected();
        logger.info('the message bus is back', { address: status.server });
        for (const callback of state.callbacks) callback();
      } else if (status.type === 'error') {
        logger.warn('the message bus reports an error', { error: status.error });
      }
    }
  };
  void follow();
  void connection.closed().then((error) => {
    state.connected = false;
    if (error) logger.error('the message bus is closed for good', { error });
  });
  return state;
}

/** Notices a broker that does not answer, long before its connection is given up. */
function beat(connection: NatsConnection, state: ConnectionState, logger: BusLogger): Heartbeat {
  const heartbeat = startHeartbeat({
    ask: async () => {
      if (!state.connected || connection.isClosed()) throw new Error('no connection');
      await connection.flush();
    },
    onSilent: () => logger.warn('the message bus is silent'),
    onBack() {
      logger.info('the message bus answers again');
      for (const callback of state.callbacks) callback();
    },
  });
  state.onConnected = () => heartbeat.reset();
  return heartbeat;
}

interface Listening {
  readonly subject: string;
  readonly handler: Parameters<Bus['subscribe']>[1];
  readonly signal: AbortSignal;
  readonly logger: BusLogger;
}

function listen(connection: NatsConnection, listening: Listening): void {
  const { subject, signal, logger } = listening;
  const subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) logger.error(`the subscription ${subject} ended`, { error });
      else deliver(message, listening);
    },
  });
  const unsubscribe = () => subscription.unsubscribe();
  signal.addEventListener('abort', unsubscribe, { once: true });
  void subscription.closed.then(() => signal.removeEventListener('abort', unsubscribe));
}

function deliver({ subject, data, headers }: Msg, { handler, logger }: Listening): void {
  const id = headers?.get('Nats-Msg-Id') || undefined;
  const failed = (error: unknown) => logger.error(`handling ${subject} failed`, { error });
  try {
    const handled = handler(toMessage({ subject, id, bytes: data, redelivered: false }));
    if (handled) handled.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Flushes pending messages when the connection is up. */
async function close(connection: NatsConnection, isConnected: boolean): Promise<void> {
  if (connection.isClosed()) return;
  const drained = isConnected ? connection.drain().catch(() => {}) : Promise.resolve();
  await within(drained, stopTimeoutMs);
  await connection.close();
}

async function faultFrom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Fault ? cause : new Fault('bus_unavailable', { cause });
  }
}

/** Returns undefined if the work does not end in time. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
