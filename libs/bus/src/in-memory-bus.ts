import { Fault } from '@sluice/errors';
import { batchLength } from './batch-length.ts';
import type { Bus, BusMessage, ConsumeOptions } from './bus.ts';
import { type InMemoryStreams, inMemoryStreams } from './in-memory-streams.ts';
import { encode, readerOf, toMessage } from './message.ts';
import { subjectMatches } from './subjects.ts';

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
  const subscribers = new Set<Subscriber>();
  const reconnectCallbacks = new Set<() => void>();
  const stopping = new AbortController();
  const consuming = new Set<Promise<void>>();
  const bell = createBell();
  let connected = true;

  return {
    publish(subject, message) {
      const bytes = encode(message);
      if (!connected || stopping.signal.aborted) return;
      for (const subscriber of subscribers)
        if (subjectMatches(subscriber.subject, subject))
          queueMicrotask(() => deliver(subscriber, subject, bytes));
    },
    async publishFact(subject, id, message) {
      const bytes = encode(message);
      if (!connected || stopping.signal.aborted) throw new Fault('bus_unavailable');
      const stored = streams.store({ subject, id, bytes, redelivered: false });
      bell.ring();
      return stored;
    },
    async holdsFact(id, stored) {
      if (!connected || stopping.signal.aborted) throw new Fault('bus_unavailable');
      return streams.holds(id, stored);
    },
    async subscribe(subject, handler, { signal }) {
      if (signal.aborted) return;
      const subscriber = { subject, handler };
      subscribers.add(subscriber);
      signal.addEventListener('abort', () => subscribers.delete(subscriber), { once: true });
    },
    async consume<Read>(options: ConsumeOptions<Read>) {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const ended = run({ ...options, signal }, { streams, bell, isConnected: () => connected });
      consuming.add(ended);
      await ended.finally(() => consuming.delete(ended));
    },
    async ensureStream(definition) {
      if (!connected) throw new Fault('bus_unavailable');
      streams.ensure(definition);
      bell.ring();
    },
    async flush() {
      if (!connected || stopping.signal.aborted) throw new Fault('bus_unavailable');
    },
    isConnected: () => connected && !stopping.signal.aborted,
    isHearing: () => connected && !stopping.signal.aborted,
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

function deliver({ handler }: Subscriber, subject: string, bytes: Uint8Array): void {
  try {
    const handled = handler(toMessage({ subject, id: undefined, bytes, redelivered: false }));
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
