import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { batchLength } from './batch-length.ts';
import type { Bus, BusMessage, ConsumeOptions, StreamDefinition } from './bus.ts';
import { type InMemoryStreams, inMemoryStreams } from './in-memory-streams.ts';
import { encode, readerOf, toMessage } from './message.ts';
import { noticePublisher } from './notices/notice-publisher.ts';
import { noticeStream, subjectMatches } from './subjects.ts';

/** The port without a broker, for specifications and simulation. Nothing survives the process. */
export interface InMemoryBus extends Bus {
  /** false: as if the broker was gone. true again: calls the reconnect callbacks. */
  setConnected(connected: boolean): void;
}

interface Subscriber {
  readonly subject: string;
  readonly handler: (message: BusMessage) => void | Promise<void>;
}

export function inMemoryBus(): InMemoryBus {
  const streams = inMemoryStreams();
  const subscribers = inMemorySubscribers();
  const reconnectCallbacks = new Set<() => void>();
  const stopping = new AbortController();
  const consuming = new Set<Promise<void>>();
  const bell = createBell();
  let connected = true;
  const isUp = () => connected && !stopping.signal.aborted;
  const makeStream = (definition: StreamDefinition) => {
    if (!connected) throw new Fault('bus_unavailable');
    streams.ensure(definition);
    bell.ring();
  };
  return {
    ...publishing({ streams, subscribers, bell, isUp, makeStream, signal: stopping.signal }),
    subscribe: async (subject, handler, { signal }) =>
      subscribers.add({ subject, handler }, signal),
    async consume<Read>(options: ConsumeOptions<Read>) {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const ended = run({ ...options, signal }, { streams, bell, isConnected: () => connected });
      consuming.add(ended);
      await ended.finally(() => consuming.delete(ended));
    },
    ensureStream: async (definition) => makeStream(definition),
    async flush() {
      if (!isUp()) throw new Fault('bus_unavailable');
    },
    isConnected: isUp,
    isReceiving: isUp,
    onReconnect(callback) {
      reconnectCallbacks.add(callback);
      return () => void reconnectCallbacks.delete(callback);
    },
    assertDurable: async () => 'unknown',
    async stop() {
      stopping.abort();
      subscribers.clear();
      await Promise.allSettled(consuming);
    },
    setConnected(value) {
      const isBack = value && !connected;
      connected = value;
      bell.ring();
      if (isBack) for (const callback of reconnectCallbacks) callback();
    },
  };
}

interface Broker {
  readonly streams: InMemoryStreams;
  readonly bell: Bell;
  readonly isConnected: () => boolean;
}

async function run<Read>(options: ConsumeOptions<Read>, broker: Broker): Promise<void> {
  const { signal, handle } = options;
  const read = readerOf(options);
  while (!signal.aborted) {
    const waiting = broker.isConnected() ? broker.streams.waiting(options) : [];
    const batch = waiting.splice(
      0,
      batchLength(waiting, ({ bytes }) => bytes.length, options),
    );
    if (batch.length === 0) {
      await broker.bell.heard(signal);
      continue;
    }
    try {
      await handle(batch.map((stored) => read(toMessage(stored))));
    } catch {
      waiting.unshift(...batch.map((stored) => ({ ...stored, redelivered: true })));
      broker.bell.ring();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

interface PublishingParts {
  readonly streams: InMemoryStreams;
  readonly subscribers: Subscribers;
  readonly bell: Bell;
  readonly isUp: () => boolean;
  readonly makeStream: (definition: StreamDefinition) => void;
  readonly signal: AbortSignal;
}

type Publishing = Pick<
  Bus,
  'publish' | 'publishFact' | 'publishNotice' | 'readNotices' | 'holdsFact' | 'placeOf'
>;

function publishing(parts: PublishingParts): Publishing {
  const { streams, subscribers, bell, isUp, makeStream, signal } = parts;
  const assertUp = () => {
    if (!isUp()) throw new Fault('bus_unavailable');
  };
  const publishFact: Bus['publishFact'] = async (subject, id, message) => {
    const bytes = encode(message);
    assertUp();
    subscribers.hand({ subject, bytes, id });
    const stored = streams.store({ subject, id, bytes, redelivered: false });
    bell.ring();
    return stored;
  };
  const publishNotice = noticePublisher({
    store: publishFact,
    makeStream: async () => makeStream(noticeStream),
    signal,
  });

  return {
    publish(subject, message) {
      const bytes = encode(message);
      if (!isUp()) return;
      subscribers.hand({ subject, bytes, id: undefined });
      if (streams.takes(subject))
        streams.store({ subject, id: randomUUID(), bytes, redelivered: false });
    },
    publishFact,
    publishNotice,
    async readNotices(after) {
      assertUp();
      return streams.readNotices(after);
    },
    async holdsFact(id, stored) {
      assertUp();
      return streams.holds(id, stored);
    },
    async placeOf(consumer) {
      assertUp();
      return streams.placeOf(consumer);
    },
  };
}

interface Subscribers {
  add(subscriber: Subscriber, signal: AbortSignal): void;
  hand(message: Handed): void;
  clear(): void;
}

function inMemorySubscribers(): Subscribers {
  const subscribers = new Set<Subscriber>();
  return {
    add(subscriber, signal) {
      if (signal.aborted) return;
      subscribers.add(subscriber);
      signal.addEventListener('abort', () => subscribers.delete(subscriber), { once: true });
    },
    hand(message) {
      for (const subscriber of subscribers)
        if (subjectMatches(subscriber.subject, message.subject))
          queueMicrotask(() => deliver(subscriber, message));
    },
    clear: () => subscribers.clear(),
  };
}

type Handed = Pick<BusMessage, 'subject' | 'bytes' | 'id'>;

function deliver({ handler }: Subscriber, message: Handed): void {
  try {
    const handled = handler(toMessage({ ...message, redelivered: false }));
    if (handled) handled.catch(() => {});
  } catch {
    // A real broker's subscriber logs it; here nobody listens to logs.
  }
}

interface Bell {
  ring(): void;
  /** Resolves with the next ring or with the signal. */
  heard(signal: AbortSignal): Promise<void>;
}

function createBell(): Bell {
  let next = Promise.withResolvers<void>();
  return {
    ring() {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    async heard(signal) {
      if (signal.aborted) return;
      const { promise: aborted, resolve } = Promise.withResolvers<void>();
      const onAbort = () => resolve();
      signal.addEventListener('abort', onAbort, { once: true });
      await Promise.race([next.promise, aborted]);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
